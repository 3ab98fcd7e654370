"""W1 in backtrader's usual way. Usage: backtrader_crossover.py FILE BARS, FILE with planes of doubles: open, close."""
import json
import sys
import time
from array import array
from datetime import datetime, timedelta

import backtrader as bt

path, bars = sys.argv[1], int(sys.argv[2])
with open(path, "rb") as file:
    planes = array("d")
    planes.fromfile(file, 2 * bars)


class Bars(bt.feed.DataBase):
    def start(self):
        super().start()
        self.at = 0

    def _load(self):
        if self.at >= bars:
            return False
        first, last = planes[self.at], planes[bars + self.at]
        self.lines.datetime[0] = bt.date2num(datetime(2016, 1, 4) + timedelta(minutes=self.at))
        self.lines.open[0] = first
        self.lines.high[0] = max(first, last)
        self.lines.low[0] = min(first, last)
        self.lines.close[0] = last
        self.lines.volume[0] = 0
        self.at += 1
        return True


class Crossover(bt.Strategy):
    def __init__(self):
        self.fills = 0
        self.cross = bt.ind.CrossOver(bt.ind.SMA(period=10), bt.ind.SMA(period=20))

    def notify_order(self, order):
        self.fills += order.status == order.Completed

    def next(self):
        if self.position.size == 0 and self.cross[0] > 0:
            self.buy(size=100)
        elif self.position.size > 0 and self.cross[0] < 0:
            self.close()


cerebro = bt.Cerebro(stdstats=False)
cerebro.adddata(Bars())
cerebro.addstrategy(Crossover)
cerebro.broker.setcash(1e8)
cerebro.broker.setcommission(0.001)
start = time.perf_counter()
(done,) = cerebro.run()
ms = (time.perf_counter() - start) * 1e3
print(json.dumps({"version": bt.__version__, "fills": done.fills, "finalEquity": cerebro.broker.getvalue(), "ms": ms}))

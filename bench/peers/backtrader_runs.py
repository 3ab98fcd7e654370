"""W1, W2 and W3 in backtrader's usual way; of W3 the first hundred pairs only, because all take minutes.

Usage: backtrader_runs.py crossover|ranking|sweep FILE BARS INSTRUMENTS, FILE with planes of doubles: the opens of each
instrument after the other, then the closes.
"""
import json
import sys
import time
from array import array
from datetime import datetime, timedelta

import backtrader as bt

workload, path, bars, width = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
step = timedelta(minutes=1) if workload == "crossover" else timedelta(days=1)
with open(path, "rb") as file:
    planes = array("d")
    planes.fromfile(file, 2 * width * bars)


class Bars(bt.feed.DataBase):
    params = (("instrument", 0),)

    def start(self):
        super().start()
        self.at = 0

    def _load(self):
        if self.at >= bars:
            return False
        place = self.p.instrument * bars + self.at
        first, last = planes[place], planes[width * bars + place]
        self.lines.datetime[0] = bt.date2num(datetime(2016, 1, 4) + step * self.at)
        self.lines.open[0] = first
        self.lines.high[0] = max(first, last)
        self.lines.low[0] = min(first, last)
        self.lines.close[0] = last
        self.lines.volume[0] = 0
        self.at += 1
        return True


class Counting(bt.Strategy):
    def __init__(self):
        self.fills = 0

    def notify_order(self, order):
        self.fills += order.status == order.Completed


class Crossover(Counting):
    params = (("fast", 10), ("slow", 20))

    def __init__(self):
        super().__init__()
        self.cross = bt.ind.CrossOver(bt.ind.SMA(period=self.p.fast), bt.ind.SMA(period=self.p.slow))

    def next(self):
        if self.position.size == 0 and self.cross[0] > 0:
            self.buy(size=100)
        elif self.position.size > 0 and self.cross[0] < 0:
            self.close()


class Ranking(Counting):
    def next(self):
        day = len(self) - 1
        if day < 126 or day % 21 != 0:
            return
        gain = {data: data.close[0] / data.close[-126] - 1 for data in self.datas}
        held = set(sorted(self.datas, key=gain.get, reverse=True)[:50])
        share = self.broker.getvalue() * 0.95 / 50
        wanted = [(data, share / data.close[0] if data in held else 0.0) for data in self.datas]
        # What is sold pays for what is bought.
        for data, target in sorted(wanted, key=lambda one: one[1] - self.getposition(one[0]).size):
            if target != self.getposition(data).size:
                self.order_target_size(data, target=target)


def run(strategy, cash, **numbers):
    cerebro = bt.Cerebro(stdstats=False)
    for instrument in range(width):
        cerebro.adddata(Bars(instrument=instrument))
    cerebro.addstrategy(strategy, **numbers)
    cerebro.broker.setcash(cash)
    cerebro.broker.set_checksubmit(False)
    cerebro.broker.setcommission(0.001)
    (done,) = cerebro.run()
    return done.fills, cerebro.broker.getvalue()


start = time.perf_counter()
pairs = None
if workload == "crossover":
    results = [run(Crossover, 1e8)]
elif workload == "ranking":
    results = [run(Ranking, 1e6)]
else:
    pairs = [(fast, fast + 5 + 4 * j) for fast in range(5, 45) for j in range(25)][:100]
    results = [run(Crossover, 1e6, fast=fast, slow=slow) for fast, slow in pairs]
ms = (time.perf_counter() - start) * 1e3
answer = {
    "version": bt.__version__,
    "fills": sum(fills for fills, _ in results),
    "finalEquity": sum(equity for _, equity in results),
    "ms": ms,
}
print(json.dumps({**answer, "pairs": len(pairs)} if pairs else answer))

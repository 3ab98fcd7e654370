"""W1 and W3 in the usual way of backtesting.py, which knows one instrument only.

Usage: backtesting_py_runs.py crossover|sweep FILE BARS 1, FILE with planes of doubles: open, close.
"""
import json
import sys
import time

import backtesting
import numpy as np
import pandas as pd
from backtesting import Backtest, Strategy
from backtesting.lib import crossover

workload, path, bars = sys.argv[1], sys.argv[2], int(sys.argv[3])
opens, closes = np.fromfile(path).reshape(2, bars)
frame = pd.DataFrame(
    {
        "Open": opens,
        "High": np.maximum(opens, closes),
        "Low": np.minimum(opens, closes),
        "Close": closes,
        "Volume": 0,
    },
    index=pd.date_range("2016-01-04", periods=bars, freq="min" if workload == "crossover" else "D"),
)


def mean(values, length):
    return pd.Series(values).rolling(length).mean()


class Crossover(Strategy):
    fast_length = 10
    slow_length = 20

    def init(self):
        self.fast = self.I(mean, self.data.Close, self.fast_length)
        self.slow = self.I(mean, self.data.Close, self.slow_length)

    def next(self):
        if crossover(self.fast, self.slow) and not self.position:
            self.buy(size=100)
        elif crossover(self.slow, self.fast) and self.position:
            self.position.close()


start = time.perf_counter()
test = Backtest(frame, Crossover, cash=1e8 if workload == "crossover" else 1e6, commission=0.001)
if workload == "crossover":
    pairs = [(10, 20)]
else:
    pairs = [(fast, fast + 5 + 4 * j) for fast in range(5, 45) for j in range(25)]
results = [test.run(fast_length=fast, slow_length=slow) for fast, slow in pairs]
ms = (time.perf_counter() - start) * 1e3
print(
    json.dumps(
        {
            "version": backtesting.__version__,
            "fills": sum(2 * len(result["_trades"]) for result in results),
            "finalEquity": float(sum(result["Equity Final [$]"] for result in results)),
            "ms": ms,
        }
    )
)

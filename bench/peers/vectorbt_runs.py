"""W1, W2 and W3 in vectorbt's usual way, warm.

Usage: vectorbt_runs.py crossover|ranking|sweep FILE BARS INSTRUMENTS, FILE with planes of doubles: the opens of each
instrument after the other, then the closes.
"""
import json
import statistics
import sys
import time

import numpy as np
import pandas as pd
import vectorbt as vbt

workload, path, bars, width = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
opens, closes = np.fromfile(path).reshape(2, width, bars)
first, close = (pd.DataFrame(plane.T) for plane in (opens, closes))


def crossing(price, market, lengths, cash):
    fast = vbt.MA.run(price, [fast for fast, _ in lengths], short_name="fast")
    slow = vbt.MA.run(price, [slow for _, slow in lengths], short_name="slow")
    return vbt.Portfolio.from_signals(
        price,
        fast.ma_crossed_above(slow).vbt.signals.fshift(1),
        fast.ma_crossed_below(slow).vbt.signals.fshift(1),
        price=market,
        size=100,
        fees=0.001,
        init_cash=cash,
        freq="1min",
    )


def crossover():
    return crossing(close[0], first[0], [(10, 20)], 1e8)


def sweep():
    pairs = [(fast, fast + 5 + 4 * j) for fast in range(5, 45) for j in range(25)]
    return crossing(close[0], first[0], pairs, 1e6)


def ranking():
    returns = close / close.shift(126) - 1
    decided = (np.arange(bars) % 21 == 0) & (np.arange(bars) >= 126)
    held = returns.rank(axis=1, ascending=False, method="first") <= 50
    share = pd.DataFrame(np.where(held, 0.95 / 50, 0.0))
    share[~decided] = np.nan
    return vbt.Portfolio.from_orders(
        close,
        size=share.shift(1),
        size_type="targetpercent",
        price=first,
        val_price=close.shift(1),
        fees=0.001,
        init_cash=1e6,
        cash_sharing=True,
        group_by=True,
        call_seq="auto",
        freq="1d",
    )


def timed():
    start = time.perf_counter()
    result = {"crossover": crossover, "ranking": ranking, "sweep": sweep}[workload]()
    result.value(), result.max_drawdown()
    return (time.perf_counter() - start) * 1e3, result


first_ms, result = timed()
ms = statistics.median(timed()[0] for _ in range(5))
print(
    json.dumps(
        {
            "version": vbt.__version__,
            "fills": int(np.sum(result.orders.count())),
            "finalEquity": float(np.sum(result.final_value())),
            "ms": ms,
            "firstMs": first_ms,
        }
    )
)

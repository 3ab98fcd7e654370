"""W1 in vectorbt's usual way, warm. Usage: vectorbt_crossover.py FILE BARS, FILE with planes of doubles: open, close."""
import json
import statistics
import sys
import time

import numpy as np
import pandas as pd
import vectorbt as vbt

path, bars = sys.argv[1], int(sys.argv[2])
first, close = (pd.Series(plane) for plane in np.fromfile(path).reshape(2, bars))


def run():
    fast, slow = vbt.MA.run(close, 10), vbt.MA.run(close, 20)
    return vbt.Portfolio.from_signals(
        close,
        fast.ma_crossed_above(slow).vbt.signals.fshift(1),
        fast.ma_crossed_below(slow).vbt.signals.fshift(1),
        price=first,
        size=100,
        fees=0.001,
        init_cash=1e8,
        freq="1min",
    )


def timed():
    start = time.perf_counter()
    result = run()
    result.value(), result.max_drawdown()
    return (time.perf_counter() - start) * 1e3, result


first_ms, result = timed()
ms = statistics.median(timed()[0] for _ in range(5))
print(
    json.dumps(
        {
            "version": vbt.__version__,
            "fills": int(result.orders.count()),
            "finalEquity": float(result.final_value()),
            "ms": ms,
            "firstMs": first_ms,
        }
    )
)

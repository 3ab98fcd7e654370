// The hand-written loops of bench/engine-loops.ts in C, as tight as they come without vector intrinsics: what the machine
// itself allows. Usage: loops crossover|ranking|sweep FILE BARS WIDTH; FILE holds planes of little-endian doubles, open
// then close, each WIDTH instruments of BARS. Prints fills, trades, final equity, drawdown and milliseconds a run.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 7
#define BATCH 10

typedef struct {
  long fills, trades;
  double equity, drawdown;
} result;

static long bars, width;
static double *open_, *close_, *curve;

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int rising(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return difference < 0 ? -1 : difference > 0;
}

typedef struct {
  double cash, value, peak, floor, deepest;
  long fills, trades;
} account;

static inline void look(account *a, double value) {
  a->value = value;
  if (value > a->peak) {
    a->peak = value;
    a->floor = value * (1 - a->deepest);
  } else if (value < a->floor) {
    a->deepest = 1 - value / a->peak;
    a->floor = value;
  }
}

// One loop while flat and one while long; writes equity where `curve` is given.
static void cross(const double *fast, const double *slow, long first, double cash, double *equity, account *a) {
  *a = (account){.cash = cash, .value = cash, .peak = cash, .floor = cash};
  long t = 0;
  double before = NAN, gap;
  if (equity) for (; t < first; t++) equity[t] = cash;
  t = first;
  before = fast[first - 1] - slow[first - 1];
  for (;;) {
    for (;; t++) {
      if (t >= bars) return;
      if (equity) equity[t] = a->cash;
      gap = fast[t] - slow[t];
      if (before < 0 && gap > 0) break;
      before = gap;
    }
    before = gap;
    if (++t >= bars) return;
    a->cash -= 100 * open_[t] * 1.001;
    a->fills++;
    for (;; t++) {
      if (t >= bars) return;
      look(a, a->cash + 100 * close_[t]);
      if (equity) equity[t] = a->value;
      gap = fast[t] - slow[t];
      if (before > 0 && gap < 0) break;
      before = gap;
    }
    before = gap;
    if (++t >= bars) return;
    a->cash += 100 * open_[t] * 0.999;
    look(a, a->cash);
    a->fills++;
    a->trades++;
  }
}

static void means(double *mean, long window) {
  double sum = 0;
  for (long t = 0; t < bars; t++) {
    sum += close_[t];
    if (t >= window) sum -= close_[t - window];
    mean[t] = sum / window;
  }
}

static result crossover(void) {
  static double *fast, *slow;
  if (!fast) fast = malloc(bars * 8), slow = malloc(bars * 8);
  means(fast, 10);
  means(slow, 20);
  account a;
  cross(fast, slow, 20, 1e8, curve, &a);
  return (result){a.fills, a.trades, a.value, a.deepest};
}

static result sweep(void) {
  static double *mean[256];
  char known[256] = {0};
  result r = {0};
  for (int i = 0; i < 1000; i++) {
    int fast = 5 + i / 25, slow = fast + 5 + 4 * (i % 25);
    int windows[2] = {fast, slow};
    for (int k = 0; k < 2; k++) {
      int w = windows[k];
      if (!mean[w]) mean[w] = malloc(bars * 8);
      if (!known[w]) means(mean[w], w), known[w] = 1;
    }
    account a;
    cross(mean[fast], mean[slow], slow, 1e6, NULL, &a);
    r.fills += a.fills;
    r.trades += a.trades;
    r.equity += a.value;
    if (a.deepest > r.drawdown) r.drawdown = a.deepest;
  }
  return r;
}

// Hoare's Find: the k-th smallest.
static double smallest(double *values, long count, long k) {
  long low = 0, high = count - 1;
  while (low < high) {
    double pivot = values[(low + high) / 2];
    long left = low, right = high;
    while (left <= right) {
      while (values[left] < pivot) left++;
      while (values[right] > pivot) right--;
      if (left > right) break;
      double swapped = values[left];
      values[left++] = values[right];
      values[right--] = swapped;
    }
    if (k <= right) high = right;
    else if (k >= left) low = left;
    else break;
  }
  return values[k];
}

// Time-major: a day's prices of all instruments lie side by side.
static result ranking(void) {
  static double *opens, *closes, *units, *scores, *sorted;
  static char *chosen;
  if (!opens) {
    opens = malloc(bars * width * 8), closes = malloc(bars * width * 8);
    for (long s = 0; s < width; s++)
      for (long t = 0; t < bars; t++) {
        opens[t * width + s] = open_[s * bars + t];
        closes[t * width + s] = close_[s * bars + t];
      }
    units = malloc(width * 8), scores = malloc(width * 8), sorted = malloc(width * 8), chosen = malloc(width);
  }
  memset(units, 0, width * 8);
  account a = {.cash = 1e6, .value = 1e6, .peak = 1e6, .floor = 1e6};
  int pending = 0;
  for (long t = 0; t < bars; t++) {
    const double *open = opens + t * width, *close = closes + t * width;
    if (pending) {
      double share = a.value * 0.95 / 50;
      for (long s = 0; s < width; s++) {
        double target = chosen[s] ? share / close[s - width] : 0, traded = target - units[s];
        if (traded == 0) continue;
        a.cash -= traded * open[s] + fabs(traded) * open[s] * 0.001;
        if (target == 0) a.trades++;
        units[s] = target;
        a.fills++;
      }
      pending = 0;
    }
    double value = a.cash;
    for (long s = 0; s < width; s++) value += units[s] * close[s];
    look(&a, value);
    curve[t] = value;
    if (t < 126 || t % 21 != 0) continue;
    for (long s = 0; s < width; s++) scores[s] = close[s] / close[s - 126 * width] - 1;
    memcpy(sorted, scores, width * 8);
    double bound = smallest(sorted, width, width - 50);
    for (long s = 0; s < width; s++) chosen[s] = scores[s] >= bound;
    pending = 1;
  }
  return (result){a.fills, a.trades, a.value, a.deepest};
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  bars = atol(arguments[3]);
  width = atol(arguments[4]);
  long plane = bars * width;
  open_ = malloc(plane * 8), close_ = malloc(plane * 8), curve = malloc(bars * 8);
  FILE *file = fopen(arguments[2], "rb");
  if (!file || fread(open_, 8, plane, file) != (size_t)plane || fread(close_, 8, plane, file) != (size_t)plane) return 3;
  fclose(file);
  result (*run)(void) = arguments[1][0] == 'c' ? crossover : arguments[1][0] == 'r' ? ranking : sweep;
  double times[ROUNDS];
  result r = run();
  for (int round = 0; round < ROUNDS; round++) {
    double from = milliseconds();
    for (int i = 0; i < BATCH; i++) r = run();
    times[round] = (milliseconds() - from) / BATCH;
  }
  qsort(times, ROUNDS, 8, rising);
  printf("{\"fills\":%ld,\"trades\":%ld,\"finalEquity\":%.6f,\"maxDrawdown\":%.12f,\"cpuMs\":%.4f}\n", r.fills, r.trades,
         r.equity, r.drawdown, times[ROUNDS / 2]);
  return 0;
}

// Pieces of work of many connections in one transaction: whatever asks while others are served goes together with the next. Nobody waits
// for company, and where a transaction fails each of its pieces is tried alone, so that none fails for another.
type Gathering<Piece, Done> = {
  /**
   * Serves these in one transaction. What it leaves out of its answer is served alone; a single piece is always answered.
   */
  readonly serve: (pieces: readonly Piece[]) => Promise<ReadonlyMap<Piece, Done>>;
  /** Only pieces of the same are served together. */
  readonly together: (piece: Piece) => unknown;
  /** Two of the same never are. */
  readonly apart: (piece: Piece) => unknown;
  /** How many go together at most, as it is now; TOGETHER_MAX unless it is given. */
  readonly most?: () => number;
  /** As how many a piece counts: as one unless it is given. A piece that is too large goes alone. */
  readonly weight?: (piece: Piece) => number;
};

export function createGathering<Piece, Done>({
  serve,
  together,
  apart,
  most = () => TOGETHER_MAX,
  weight = () => 1,
}: Gathering<Piece, Done>): (piece: Piece) => Promise<Done> {
  type Waiting = { readonly piece: Piece } & PromiseWithResolvers<Done>;
  let waiting: readonly Waiting[] = [];
  let running = 0;

  const takeNext = (): readonly Waiting[] => {
    const group = together(waiting[0]!.piece);
    const batch: Waiting[] = [];
    const keys = new Set<unknown>();
    let room = most();
    for (const one of waiting) {
      const key = apart(one.piece);
      const isTooMuch = batch.length > 0 && weight(one.piece) > room;
      if (isTooMuch || keys.has(key) || together(one.piece) !== group) continue;
      keys.add(key);
      room -= weight(one.piece);
      batch.push(one);
    }
    waiting = waiting.filter((one) => !batch.includes(one));
    return batch;
  };
  const serveAlone = async ({ piece, resolve, reject }: Waiting): Promise<void> => {
    try {
      const done = await serve([piece]);
      if (!done.has(piece)) throw new Error('a piece of work that is alone was left out');
      resolve(done.get(piece)!);
    } catch (error) {
      reject(error);
    }
  };
  const serveBatch = async (batch: readonly Waiting[]): Promise<void> => {
    if (batch.length === 1) return serveAlone(batch[0]!);
    // A failure is of one of them, and shows again when that one is alone.
    const done = await serve(batch.map(({ piece }) => piece)).catch(() => new Map<Piece, Done>());
    for (const one of batch) {
      if (done.has(one.piece)) one.resolve(done.get(one.piece)!);
      else void serveAlone(one);
    }
  };
  const begin = (): void => {
    while (running < AT_ONCE && waiting.length > 0) {
      running += 1;
      void serveBatch(takeNext()).finally(() => {
        running -= 1;
        begin();
      });
    }
  };
  return (piece) => {
    const one = { piece, ...Promise.withResolvers<Done>() };
    waiting = [...waiting, one];
    begin();
    return one.promise;
  };
}

/** While one is written, the next is decided. */
const AT_ONCE = 2;
/** Locks are held until all of them are decided, and what was checked first must still hold then. */
export const TOGETHER_MAX = 16;

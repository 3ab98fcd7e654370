// Shares: market × beta + sector + the company's own fate + a short-lived disturbance that prices shake off within
// days. Own fate and sectors carry slow drifts (some momentum) and are pulled back over years (some value effect).
import { type Sector, SHARES, type ShareTraits } from '../catalogue-shares.ts';
import type { DayModel, DayShape } from './day-shape.ts';
import { type MarketDay, SHARE_DAYS_PER_YEAR } from './market-factor.ts';
import { type Draws, draws } from './random.ts';
import { clustering, fatTailedShock } from './volatility.ts';

/** The model of all shares; `market` must give the market's day that is being stepped. */
export function shareModel(seed: number, market: (day: number) => MarketDay): DayModel {
  const sectors = new Map<Sector, ReturnType<typeof sectorFactor>>();
  for (const sector of new Set(SHARES.flatMap((traits) => traits.sector ?? []))) {
    sectors.set(sector, sectorFactor(seed, SECTOR_STREAM + sectors.size));
  }
  const companies = new Map<string, Company>();
  SHARES.forEach((traits, index) => companies.set(traits.symbol, new Company(traits, index, companies)));
  return {
    step(day) {
      const today = market(day);
      const sectorReturns = new Map([...sectors].map(([name, step]) => [name, step(day)]));
      return [...companies.values()].map((company) =>
        company.step(draws(seed, SHARE_STREAM + company.index, day), day, today, sectorReturns),
      );
    },
  };
}

class Company {
  readonly index: number;
  private readonly traits: ShareTraits;
  private readonly sister: Company | null;
  private readonly cluster = clustering();
  private common: number;
  private own = 0;
  private drift = 0;
  private disturbance = 0;
  private logClose: number;
  /** Log return of everything but the disturbance, and its deviation today: what a sister takes over. */
  private lasting = 0;
  private deviation = 0;

  constructor(traits: ShareTraits, index: number, others: ReadonlyMap<string, Company>) {
    this.traits = traits;
    this.index = index;
    this.sister = traits.follows === undefined ? null : (others.get(traits.follows) ?? null);
    this.common = Math.log(traits.firstPrice);
    this.logClose = this.common;
  }

  step(today: Draws, day: number, market: MarketDay, sectorReturns: ReadonlyMap<Sector, number>): DayShape {
    this.move(today, day, market, sectorReturns);
    const keep = this.sister ? SISTER_GAP.keep : DISTURBANCE.keep;
    const size = this.sister ? SISTER_GAP.deviation : DISTURBANCE.deviation * disturbanceShare(this.traits);
    const stir = size * Math.sqrt(1 - keep * keep);
    this.disturbance = keep * this.disturbance + stir * today.normal(2);
    const logClose = this.common + this.own + this.disturbance;
    const deviation = Math.sqrt(this.deviation * this.deviation + stir * stir);
    const total = logClose - this.logClose;
    const logOpen = this.logClose + OPENING_SHARE * total + OPENING_NOISE * deviation * today.normal(3);
    this.logClose = logClose;
    const liveliness = 0.6 + (0.5 * Math.abs(total)) / (deviation + 1e-9);
    const volume = Math.round(this.traits.volume * liveliness * Math.exp(0.25 * today.normal(4)));
    return { logOpen, logClose, deviation: INSIDE_DAY * deviation, volume };
  }

  private move(
    today: Draws,
    day: number,
    market: MarketDay,
    sectorReturns: ReadonlyMap<Sector, number>,
  ): void {
    if (this.sister) {
      this.lasting = this.sister.lasting;
      this.deviation = this.sister.deviation;
      this.common += this.lasting;
      return;
    }
    const { traits } = this;
    const before = this.common + this.own;
    const sectorReturn = traits.sector === null ? 0 : traits.sectorWeight * sectorReturns.get(traits.sector)!;
    this.common += traits.beta * market.logReturn + sectorReturn + traits.extraDrift / SHARE_DAYS_PER_YEAR;

    const daily = (traits.ownVolatility / Math.sqrt(SHARE_DAYS_PER_YEAR)) * Math.sqrt(this.cluster.variance);
    const shock = fatTailedShock(today, 0);
    this.cluster.next(shock);
    const reports = traits.sector !== null && (day + 11 * this.index) % REPORT_EVERY_DAYS === 0;
    const news = reports ? REPORT_SIZE * traits.ownVolatility * today.normal(5) : 0;
    this.drift = DRIFT.keep * this.drift + driftStir(traits.ownVolatility * DRIFT_OF_OWN) * today.normal(1);
    this.own = OWN_KEEP * this.own + this.drift / SHARE_DAYS_PER_YEAR + daily * shock + news;
    this.lasting = this.common + this.own - before;
    this.deviation = Math.sqrt((traits.beta * market.deviation) ** 2 + daily * daily + SECTOR_DAILY ** 2);
  }
}

/** Daily log returns of one sector beyond the market. */
function sectorFactor(seed: number, stream: number): (day: number) => number {
  const cluster = clustering();
  let level = 0;
  let drift = 0;
  return (day) => {
    const today = draws(seed, stream, day);
    const shock = fatTailedShock(today, 0);
    const moved = SECTOR_DAILY * Math.sqrt(cluster.variance) * shock;
    cluster.next(shock);
    drift = DRIFT.keep * drift + driftStir(SECTOR_DRIFT) * today.normal(1);
    const before = level;
    level = OWN_KEEP * level + drift / SHARE_DAYS_PER_YEAR + moved;
    return level - before;
  };
}

const driftStir = (deviation: number) => deviation * Math.sqrt(1 - DRIFT.keep ** 2);

/** Quiet names and funds are disturbed less; the index fund itself not at all. */
const disturbanceShare = (traits: ShareTraits) => Math.min(1, traits.ownVolatility / 0.25);

/** Part of the daily value that is left after one day, from a half-life in days. */
function keepFor(halfLifeDays: number): number {
  return 0.5 ** (1 / halfLifeDays);
}

const DISTURBANCE = { keep: keepFor(4), deviation: 0.011 };
const SISTER_GAP = { keep: keepFor(12), deviation: 0.018 };
const DRIFT = { keep: keepFor(90) };
const OWN_KEEP = keepFor(3 * SHARE_DAYS_PER_YEAR);
/** The slow drift's deviation per year, as a share of the company's own volatility. */
const DRIFT_OF_OWN = 0.45;
const SECTOR_DRIFT = 0.06;
const SECTOR_DAILY = 0.09 / Math.sqrt(SHARE_DAYS_PER_YEAR);
/** Part of the day's move that happens while the exchange is closed, and what the opening auction adds. */
const OPENING_SHARE = 0.3;
const OPENING_NOISE = 0.25;
const INSIDE_DAY = 0.85;
/** Quarterly figures, on average a fifth of a year's own volatility. */
const REPORT_EVERY_DAYS = 91;
const REPORT_SIZE = 0.18;
const SECTOR_STREAM = 100;
const SHARE_STREAM = 1_000;

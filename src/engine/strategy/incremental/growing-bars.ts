// The bars of one instrument as columns that grow by a bar, in the shape that indicators and machines read.
import type { Symbol } from '#units/identifiers.ts';
import type { Bar } from '../../market/instrument.ts';
import type { PriceName } from '../definition.ts';
import { GrowingColumn } from './growing-column.ts';

export type BarPrices = Pick<Bar, PriceName | 'closedAt'>;

export class GrowingBars {
  readonly symbol: Symbol;
  readonly columns: Readonly<Record<PriceName | 'closedAt', GrowingColumn>> = {
    closedAt: new GrowingColumn(),
    open: new GrowingColumn(),
    high: new GrowingColumn(),
    low: new GrowingColumn(),
    close: new GrowingColumn(),
    volume: new GrowingColumn(),
  };

  constructor(symbol: Symbol) {
    this.symbol = symbol;
  }

  get length(): number {
    return this.columns.close.length;
  }

  push(bar: BarPrices): void {
    const { columns } = this;
    columns.closedAt.push(bar.closedAt);
    columns.open.push(bar.open);
    columns.high.push(bar.high);
    columns.low.push(bar.low);
    columns.close.push(bar.close);
    columns.volume.push(bar.volume);
  }
}

// A bill of the performance fee as a document to keep: its lines with every decimal, whose it is, and how to compute it
// again.
import { type Instant, isoText, utcDate } from '#units/instant.ts';
import { exactDollars } from '../dollars.ts';
import { longDate } from '../long-date.ts';
import type { ProviderTerms } from '../provider.ts';
import { feeStatement, type StatedBill, type StatementLine } from './fee-statement.ts';
import { HIGH_WATER_MARK_TERM, SETTLED_PROFIT_TERM } from './fee-terms.ts';

type FeeStatementText = {
  readonly title: string;
  readonly lead: readonly string[];
  readonly lines: readonly StatementLine[];
  readonly explanation: { readonly heading: string; readonly paragraphs: readonly string[] };
};

export function feeStatementText(
  stated: StatedBill & { readonly id: string; readonly strategyName: string; readonly billedAt: Instant },
  { client, terms }: { readonly client: string; readonly terms: ProviderTerms },
): FeeStatementText {
  const day = (at: Instant) => longDate(utcDate(at));
  return {
    title: `Performance fee statement ${stated.number}`,
    lead: [
      `${stated.strategyName}, deployed by ${client}`,
      `From ${terms.companyName}, ${terms.address}`,
      `Bill ${stated.id}, made ${isoText(stated.billedAt)}. Days are UTC.`,
    ],
    lines: feeStatement(stated, { money: exactDollars, day }),
    explanation: {
      heading: 'How it is computed',
      paragraphs: [
        SETTLED_PROFIT_TERM,
        HIGH_WATER_MARK_TERM,
        'The page of this bill computes it again in your browser, from the same figures and by the same rule, and names any difference.',
      ],
    },
  };
}

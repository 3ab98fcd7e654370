import type { portfolioEndpoints } from '#contract/portfolio.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { downloadStatement } from './download-statement.ts';
import {
  downloadStatementFigures,
  downloadStatementLots,
  downloadStatementTrades,
} from './download-statement-csv.ts';
import { getPortfolio } from './get-portfolio.ts';
import { getStatement } from './get-statement.ts';

export const portfolioCalls: RoomCalls<typeof portfolioEndpoints> = {
  getPortfolio,
  getStatement,
  downloadStatement,
  downloadStatementFigures,
  downloadStatementLots,
  downloadStatementTrades,
};

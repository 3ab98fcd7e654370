import type { portfolioEndpoints } from '../../../src/contract/portfolio.ts';
import { billedDeployment } from '../../support/billed-deployment.ts';
import { signedInPerson } from '../../support/test-person.ts';
import type { TestApp } from '../../support/test-app.ts';
import type { CasesOf } from '../call-case.ts';

async function stated(app: TestApp) {
  const { person } = await billedDeployment(app);
  return { token: person.token, query: { period: 'year' } };
}

const ofNobody = async (app: TestApp) => ({ token: (await signedInPerson(app)).token });

const cases = { success: stated, not_found: ofNobody };

export const portfolioCases: CasesOf<typeof portfolioEndpoints> = {
  getPortfolio: { success: async (app) => ({ token: (await stated(app)).token }) },
  getStatement: cases,
  downloadStatement: cases,
  downloadStatementFigures: cases,
  downloadStatementLots: cases,
  downloadStatementTrades: cases,
};

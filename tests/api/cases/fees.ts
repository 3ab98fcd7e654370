import type { feesEndpoints } from '../../../src/contract/fees.ts';
import { billedDeployment } from '../../support/billed-deployment.ts';
import type { TestApp } from '../../support/test-app.ts';
import type { CasesOf } from '../call-case.ts';

async function billed(app: TestApp) {
  const { person, deploymentId } = await billedDeployment(app);
  return { token: person.token, deploymentId };
}

async function newestBill(app: TestApp) {
  const { token } = await billed(app);
  const { body } = await app.request({ method: 'GET', url: '/api/fees/bills/', token });
  return { token, params: { id: body[0].id as string } };
}

export const feesCases: CasesOf<typeof feesEndpoints> = {
  listFeeBills: {
    success: async (app) => {
      const { token, deploymentId } = await billed(app);
      return { token, query: { deployment: deploymentId } };
    },
  },
  downloadFeeBills: {
    success: async (app) => {
      const { token, deploymentId } = await billed(app);
      return { token, query: { deployment: deploymentId } };
    },
  },
  getFeeBill: { success: newestBill },
  downloadFeeBill: { success: newestBill },
  downloadFeeStatement: { success: newestBill },
  getFeeAccrual: {
    success: async (app) => {
      const { token, deploymentId } = await billed(app);
      return { token, params: { id: deploymentId } };
    },
  },
};

import type { operationsEndpoints } from '../../../src/contract/operations.ts';
import type { CasesOf } from '../call-case.ts';

const ask = async () => ({});

export const operationsCases: CasesOf<typeof operationsEndpoints> = {
  getHealth: { success: ask },
  getReadiness: { success: ask },
  getMetrics: { success: ask },
  getDocs: { success: ask },
};

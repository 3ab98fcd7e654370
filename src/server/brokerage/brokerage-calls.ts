import type { brokerageEndpoints } from '#contract/brokerage.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { beginConnection } from './sign-in/begin-connection.ts';
import { chooseAccount } from './choose-account.ts';
import { changeConnection, setPrimary } from './change-connection.ts';
import { completeConnection } from './sign-in/complete-connection.ts';
import { getBroker } from './get-broker.ts';
import { getConnection } from './get-connection.ts';
import { getIbkrStatus } from './get-ibkr-status.ts';
import { getMyConnection } from './get-my-connection.ts';
import { listBrokers } from './list-brokers.ts';
import { listCashStatements } from './list-cash-statements.ts';
import { listConnections } from './list-connections.ts';
import { removeConnection } from './remove-connection.ts';
import { testConnection } from './test-connection.ts';

export const brokerageCalls: RoomCalls<typeof brokerageEndpoints> = {
  listBrokers,
  getBroker,
  listBrokerConnections: listConnections,
  createBrokerConnection: beginConnection,
  getMyBrokerConnection: getMyConnection,
  completeBrokerConnection: completeConnection,
  getBrokerConnection: getConnection,
  changeBrokerConnection: changeConnection,
  removeBrokerConnection: removeConnection,
  setPrimaryBrokerConnection: setPrimary,
  listCashStatements,
  chooseBrokerAccount: chooseAccount,
  testBrokerConnection: testConnection,
  getIbkrStatus,
};

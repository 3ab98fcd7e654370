// A broker session over the vendor's Web API.
import type {
  BrokerAccount,
  BrokerAnswer,
  BrokerList,
  BrokerPosition,
  BrokerSession,
  SubmitResult,
} from '#ports/broker.ts';
import type { BrokerAccountId } from '#units/identifiers.ts';
import { reading } from '../answer-fields.ts';
import { createMarketData } from './market-data/market-data.ts';
import { createAccountSelection } from './orders/account-selection.ts';
import { cancelOrder } from './orders/cancel-order.ts';
import { executionsOfFrame, listExecutions } from './orders/executions.ts';
import { nameInstruments } from './orders/name-instruments.ts';
import { createOrderList, findOrder } from './orders/order-list.ts';
import { type SubmitTools, submitOrder } from './orders/submit-order.ts';
import { parseLedger } from './portfolio/parse-portfolio.ts';
import { createPortfolio } from './portfolio/portfolio.ts';
import { createStream } from './stream/stream.ts';

type SessionTools = SubmitTools & {
  readonly streamUrl: string | null;
  readonly sleep?: (ms: number) => Promise<void>;
};

export function createSession(tools: SessionTools): BrokerSession {
  const { connection, brokerage, contracts, streamUrl } = tools;
  const stream =
    streamUrl === null
      ? null
      : createStream({
          url: streamUrl,
          permit: () => connection.signIn(),
          brokerage,
          readExecutions: (rows) => executionsOfFrame(rows, contracts, brokerage),
        });
  const portfolio = createPortfolio(connection);
  const inTurn = createTurns();
  const selecting = createAccountSelection();
  const orders = createOrderList(brokerage, contracts);

  return {
    orders,
    async accounts(): Promise<BrokerAnswer<readonly BrokerAccount[]>> {
      return portfolio.accounts();
    },
    async positions(accountId): Promise<BrokerList<BrokerPosition>> {
      const list = await portfolio.positions(accountId);
      if (list.outcome === 'failed') return list;
      return nameInstruments('positions', list.value, { contracts, brokerage });
    },
    async cash(accountId) {
      const answer = await portfolio.ask(`/portfolio/${accountId}/ledger`);
      if (answer.outcome === 'failed') return answer;
      return reading(() => parseLedger(answer.value, portfolio.currencyOf(accountId)));
    },
    submitOrder(accountId, order, terms): Promise<SubmitResult> {
      return inTurn(accountId, () =>
        selecting(accountId, () => submitOrder({ ...tools, terms }, accountId, order)),
      );
    },
    submitStop(accountId, order, stopPrice, terms): Promise<SubmitResult> {
      return inTurn(accountId, () =>
        selecting(accountId, () => submitOrder({ ...tools, terms }, accountId, order, stopPrice)),
      );
    },
    cancelOrder(accountId, brokerOrderId) {
      return inTurn(accountId, () =>
        selecting(accountId, () => cancelOrder(tools, { accountId, brokerOrderId })),
      );
    },
    async findOrder(accountId, brokerOrderId) {
      return selecting(accountId, () => findOrder(brokerage, contracts, { accountId, brokerOrderId }));
    },
    async openOrders(accountId) {
      const all = await orders(accountId);
      if (all.outcome === 'failed') return all;
      const open = all.value.filter(({ status }) => status === 'working' || status === 'attention');
      return { ...all, value: open };
    },
    async executions(accountId, since) {
      return selecting(accountId, () => listExecutions(brokerage, contracts, accountId, since));
    },
    keepAlive: () => brokerage.keepAlive(),
    sessionState: () => brokerage.state,
    marketData: createMarketData(brokerage, contracts, { sleep: tools.sleep, stream }),
    ...(stream === null ? {} : { onNews: stream.listen, streamStretch: stream.stretch }),
    close() {
      stream?.close();
      return brokerage.close();
    },
  };
}

/** Runs the tasks of one account one after another. */
function createTurns() {
  const last = new Map<BrokerAccountId, Promise<unknown>>();
  return <Result>(accountId: BrokerAccountId, run: () => Promise<Result>): Promise<Result> => {
    const mine = (last.get(accountId) ?? Promise.resolve()).then(run, run);
    last.set(accountId, mine);
    return mine;
  };
}

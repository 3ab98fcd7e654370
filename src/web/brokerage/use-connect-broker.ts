import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Answer } from '#contract/http/endpoint.ts';
import type { EveryEndpoint } from '#contract/every-endpoint.ts';
import { call } from '../call/call.ts';
import { CallError } from '../call/call-error.ts';

/** Specification section 9. */
const POLL_MS = 2000;

export type ConnectHandlers = {
  readonly isConnecting: boolean;
  readonly onConnecting: (isConnecting: boolean) => void;
  readonly onConnected: (connectionId: string) => void;
  /** The sign-in granted several accounts, and one is to be chosen. */
  readonly onChoose: () => void;
};

type Connecting = {
  readonly failure: string | null;
  /** The broker's page, for a browser that did not let us open a window for it. */
  readonly address: string | null;
  readonly start: () => void;
  readonly cancel: () => void;
};

/**
 * Connects an account: opens the broker's sign-in in a new window, then asks every two seconds how far it is.
 * The surrounding page stores whether it is in progress, so that polling continues after a reload.
 */
export function useConnectBroker({
  broker,
  isConnecting,
  onConnecting,
  onConnected,
  onChoose,
}: ConnectHandlers & {
  readonly broker: { readonly id: string; readonly name: string };
}): Connecting {
  const [failure, setFailure] = useState<string | null>(null);
  const [address, setAddress] = useState<string | null>(null);
  const [isBegun, setBegun] = useState(isConnecting);
  const opened = useRef<Window | null>(null);
  const attempt = useRef(0);

  /** The specified sentences are of one broker. */
  const named = (sentence: string) => sentence.replace('Interactive Brokers', broker.name);

  const end = (message: string | null) => {
    attempt.current += 1;
    opened.current?.close();
    opened.current = null;
    setBegun(false);
    setAddress(null);
    setFailure(message);
    onConnecting(false);
  };

  const start = () => {
    attempt.current += 1;
    const mine = attempt.current;
    setFailure(null);
    onConnecting(true);
    // Opened within the press, before the address is known, or the browser would block it.
    const popup = window.open('about:blank', 'broker-sign-in', 'popup,width=520,height=720');
    opened.current = popup;
    const body = { broker: broker.id, ...PLACEHOLDERS, is_primary: true };
    call('createBrokerConnection', { body }).then(
      ({ authorize_url }) => {
        if (attempt.current !== mine) return;
        // It keeps its opener: a window that has lost it cannot be closed by Cancel any more.
        popup?.location.replace(authorize_url);
        setAddress(authorize_url);
        setBegun(true);
      },
      (error: unknown) => {
        if (attempt.current !== mine) return;
        end(withReason(named('Failed to initiate Interactive Brokers connection'), error));
      },
    );
  };

  usePolledStatus(isConnecting && isBegun ? broker.id : null, {
    onStatus({ connection_status, broker_connection_id, failure_reason }) {
      if (connection_status === 'active' && broker_connection_id !== null) {
        end(null);
        onConnected(broker_connection_id);
      } else if (connection_status === 'choose_account') {
        end(null);
        onChoose();
      } else if (connection_status !== 'pending') {
        end(
          `${named('Interactive Brokers connection failed. Please try again.')} ${failure_reason ?? ''}`.trim(),
        );
      }
    },
    onFailure: (error) => end(withReason('Failed to verify connection status', error)),
  });

  return { failure, address, start, cancel: () => end(null) };
}

type ConnectionAttempt = Answer<EveryEndpoint['getIbkrStatus']>;

function usePolledStatus(
  /** Whose sign-in is under way; null when none is. */
  brokerId: string | null,
  handlers: { onStatus: (status: ConnectionAttempt) => void; onFailure: (error: unknown) => void },
) {
  const onStatus = useEffectEvent(handlers.onStatus);
  const onFailure = useEffectEvent(handlers.onFailure);
  useEffect(() => {
    if (brokerId === null) return;
    const asked = new AbortController();
    let isAsking = false;
    const poll = window.setInterval(() => {
      // Slow answers shall not pile up: a browser opens only a few connections to one host.
      if (isAsking) return;
      isAsking = true;
      call('getIbkrStatus', { query: { broker: brokerId }, signal: asked.signal })
        .then(
          (answer) => asked.signal.aborted || onStatus(answer),
          (error: unknown) => asked.signal.aborted || onFailure(error),
        )
        .finally(() => {
          isAsking = false;
        });
    }, POLL_MS);
    return () => {
      window.clearInterval(poll);
      asked.abort();
    };
  }, [brokerId]);
}

/** The browser holds no credentials: the person gives them to the broker's own page (specification section 3). */
const PLACEHOLDERS = {
  account_id: '',
  api_key: '',
  api_secret: '',
  auth_token: '',
  refresh_token: '',
  connection_data: {},
};

function withReason(sentence: string, error: unknown): string {
  return error instanceof CallError && error.message !== sentence
    ? `${sentence}. ${error.message}`
    : sentence;
}

import type { ExchangeRecord, StoredMessage } from './exchange-record.js';

/** An exchange for tests of the rules: a sale of 100 euro cents that was sent. */
export function exchange({
  request,
  ...more
}: Partial<Omit<ExchangeRecord, 'request'>> & {
  readonly request?: Partial<StoredMessage>;
} = {}): ExchangeRecord {
  return {
    reference: 'r',
    request: {
      kind: 'financial',
      isAdvice: false,
      isResponse: false,
      isRepeat: false,
      stan: '000001',
      at: '20261123072200',
      transaction: 'purchase',
      merchantId: 'M1',
      terminalId: 'T1',
      amount: { minor: 100, currency: 'EUR' },
      ...request,
    },
    state: 'sent',
    lateApprovals: 0,
    createdAtMs: 7,
    version: 1,
    ...more,
  };
}

/** The host's answer to it. */
export function answerOf(responseCode: string, more: Partial<StoredMessage> = {}): StoredMessage {
  return {
    kind: 'financial',
    isAdvice: false,
    isResponse: true,
    isRepeat: false,
    stan: '000001',
    at: '20261123072200',
    responseCode,
    ...more,
  };
}

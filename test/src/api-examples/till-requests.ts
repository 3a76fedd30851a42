import type { StackRequest } from './store.js';

const approved: StackRequest = async (store) => ({ parameters: { reference: await store.sale() } });

/**
 * An example of a request for every operation of the agent. `npm run record-examples` sends them and writes what is shown into
 * `agent/data/api-examples.json`; a new operation is a line here.
 */
export const TILL_REQUESTS: Readonly<Record<string, StackRequest>> = {
  'GET /healthz': () => ({}),
  'GET /metrics': () => ({}),
  'GET /v1/caller': () => ({}),
  'GET /v1/status': () => ({}),
  'GET /v1/terminals': () => ({}),
  'GET /v1/terminals/{id}/condition': ({ terminal }) => ({ parameters: { id: terminal } }),
  'POST /v1/terminals/{id}/display-code': ({ terminal }) => ({
    parameters: { id: terminal },
    body: { page: 'https://agent.shop.example:8090' },
  }),
  'POST /v1/terminals/{id}/reset': ({ terminal }) => ({ parameters: { id: terminal } }),
  'POST /v1/sales': async (store) => {
    await store.presentCard();
    return {
      body: {
        ...{ reference: store.reference(), amount: '22.00', tip: '2.00', currency: 'EUR' },
        terminalId: store.terminal,
      },
    };
  },
  'GET /v1/sales/{reference}': approved,
  'GET /v1/sales': async (store) => {
    await store.sale();
    return { parameters: { limit: '10', order: 'newest' } };
  },
  'GET /v1/sales/{reference}/receipt': approved,
  'GET /v1/sales/{reference}/refunds': approved,
  'POST /v1/sales/{reference}/cancel': async (store) => ({
    parameters: { reference: await store.runningSale() },
  }),
  'POST /v1/sales/{reference}/reversal': approved,
  'POST /v1/sales/{reference}/capture': async (store) => ({
    parameters: { reference: await store.sale({ type: 'preauthorization' }) },
    body: { amount: '10.00' },
  }),
  'POST /v1/sales/{reference}/voice-authorization': async (store) => ({
    parameters: { reference: await store.sale({}, 'visa-referral') },
    body: { approvalCode: '123456' },
  }),
  'POST /v1/sales/{reference}/resolution': async (store) => ({
    parameters: { reference: await store.sale() },
    body: { outcome: 'declined', note: 'The acquirer has no record of it.' },
  }),
  'GET /v1/queue': () => ({}),
  'POST /v1/queue/flush': () => ({}),
  'POST /v1/queue/{reference}/acknowledgement': async (store) => ({
    parameters: { reference: await store.lateDecline() },
    body: { by: 'Jane' },
  }),
  'GET /v1/totals': async (store) => {
    await store.sale();
    return { parameters: { by: 'terminal' } };
  },
  'POST /v1/day-closes': (store) => ({ body: { reference: store.nextClose() } }),
  'GET /v1/day-closes': async (store) => {
    await store.dayClose();
    return {};
  },
  'GET /v1/day-closes/{number}': async (store) => ({ parameters: { number: await store.dayClose() } }),
  'GET /v1/history': () => ({}),
  'GET /v1/events': () => ({}),
  'POST /v1/events/token': () => ({}),
  'GET /v1/tills': async (store) => {
    await store.till();
    return {};
  },
  'POST /v1/tills': (store) => ({ body: { id: store.nextTill(), rights: ['sell', 'report'] } }),
  'POST /v1/tills/{id}/code': async (store) => ({ parameters: { id: await store.till() } }),
  'DELETE /v1/tills/{id}': async (store) => ({ parameters: { id: await store.till() } }),
};

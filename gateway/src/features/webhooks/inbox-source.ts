import { type AlertSourceDeps, alertSource } from '../../core/inbox/alert-source.js';
import type { InboxAction, InboxCall, InboxSource, InboxState } from '../../core/inbox/inbox-source.js';
import { RequestRefused } from '../../kernel/http/request/envelope.js';
import type { AlertRow } from '../../kernel/store/rows.js';
import { resendGivenUp } from './deliveries.js';
import { type DeliveryTry, isTaken } from './rules/delivery-log.js';
import { resumeEndpoint, testEndpoint } from './service.js';
import type { SharedWebhookDeps } from './shared-deps.js';
import { WebhookError } from './webhook-error.js';

const MONEY = 'It moves no money: the receiver learns what has happened to it.';

const RESUME: InboxAction = {
  name: 'resume',
  text: 'Delivers what waited for the endpoint.',
  money: MONEY,
  right: 'administration',
  parameters: [],
};

const TEST: InboxAction = {
  name: 'test',
  text: 'Sends a test delivery; where the receiver takes it, delivers again what was given up.',
  money: MONEY,
  right: 'administration',
  parameters: [],
};

/** Endpoints that do not get their events. */
export function failingWebhooks(deps: AlertSourceDeps, webhooks: SharedWebhookDeps): InboxSource {
  // Who requests a test while one runs gets the outcome of that one.
  const running = new Map<string, Promise<InboxState>>();
  const joined = (alert: AlertRow, call: InboxCall): Promise<InboxState> => {
    const work = running.get(alert.id) ?? resolve(webhooks, alert, call);
    running.set(alert.id, work);
    return work.finally(() => running.delete(alert.id));
  };
  return alertSource(deps, {
    kind: 'webhook',
    codes: ['webhook-failing', 'webhook-paused'],
    about: ({ code }) => ({ action: code === 'webhook-paused' ? RESUME : TEST }),
    act: async (alert, call) => {
      try {
        return await joined(alert, call);
      } catch (error) {
        if (!(error instanceof WebhookError)) throw error;
        // Another request was faster.
        if (error.code === 'wrong-state' || error.code === 'unknown-endpoint') return stateOf(alert, call);
        throw refusal(error.message);
      }
    },
  });
}

async function resolve(webhooks: SharedWebhookDeps, alert: AlertRow, call: InboxCall): Promise<InboxState> {
  const { subject: id, code } = alert;
  const deps = { ...webhooks, store: call.store, actor: call.actor };
  if (code === 'webhook-paused') await resumeEndpoint(deps, id);
  else {
    const { tried } = await testEndpoint(deps, id);
    if (tried && !isTaken(tried))
      throw refusal(`the receiver did not take the test delivery: ${faultOf(tried)}`);
    await resendGivenUp(deps, id);
  }
  return stateOf(alert, call);
}

async function stateOf(alert: AlertRow, { store }: InboxCall): Promise<InboxState> {
  return (await store.get('alerts', [alert.id]))?.state ?? 'cleared';
}

function faultOf({ status, fault }: DeliveryTry): string {
  return status === undefined ? (fault ?? 'no answer') : `HTTP ${status}`;
}

function refusal(message: string): RequestRefused {
  return new RequestRefused('inbox-refused', [{ name: 'id', value: null, message }]);
}

import type { StreamKind } from '@tillbridge/wire/bridge/messages.js';
import { invalidParameters } from '../../../kernel/http/request/envelope.js';
import { needed } from '../../../kernel/http/request/valid-values.js';
import { decideAgain } from '../../../kernel/store/decide-again.js';
import type { AlertRow, ParkedRow } from '../../../kernel/store/rows.js';
import {
  type AlertSourceDeps,
  acknowledged,
  acknowledgement,
  alertSource,
} from '../../inbox/alert-source.js';
import type { InboxAction, InboxCall, InboxSource, InboxState } from '../../inbox/inbox-source.js';
import { parkedKey } from './parked-subject.js';
import { dropParked, OPEN_PARKED, retryLater } from './resolve-parked.js';

/** What a retry does to the money, by the kind of the message. */
const MONEY: Readonly<Record<StreamKind, string>> = {
  offlineRecord:
    'Retry requests the amount from the acquirer, which the store has approved. Drop never requests it.',
  voiceAuthorization: 'Retry requests the amount with the approval code of the call. Drop never requests it.',
  capture: 'Retry takes the amount that is held on the card. Drop never takes it.',
  reversal: 'Retry gives back what the sale took. Drop gives nothing back: the cardholder stays charged.',
  cancelIfUnseen: 'Retry takes no money, now and later. Drop lets a late request of the sale take it.',
};
const UNREADABLE = 'It moves no money: the sale has to be resolved otherwise.';

/** The parked messages of stores: each is processed again, or dropped. */
export function parkedMessages(deps: AlertSourceDeps): InboxSource {
  const { store } = deps;
  return alertSource(deps, {
    kind: 'parked-message',
    codes: ['message-parked'],
    about: async (alert) => {
      const parked = await store.get('parked', parkedKey(alert.subject));
      return { action: parked ? actionOn(parked) : acknowledgement(alert.code, 'administration') };
    },
    act: (alert, call) => decideAgain(deps, () => resolve(deps, alert, call)),
  });
}

function actionOn({ kind, message, reasonCode }: ParkedRow): InboxAction {
  const decisions = message === null ? ['drop'] : ['retry', 'drop'];
  return {
    name: 'resolve',
    text:
      message === null
        ? 'Drops the message, of which nothing was kept, once its sale was resolved otherwise.'
        : 'Has the gateway process the message again, or drops it, once its sale was resolved otherwise.',
    money: Object.hasOwn(MONEY, kind) ? MONEY[kind as StreamKind] : UNREADABLE,
    // What a store may do is the operator's to decide.
    right: reasonCode === 'outside-policy' ? 'operator' : 'administration',
    parameters: [
      { name: 'decision', required: true, values: decisions },
      { name: 'note', required: false },
    ],
  };
}

async function resolve(deps: AlertSourceDeps, alert: AlertRow, call: InboxCall): Promise<InboxState> {
  const { store, values } = call;
  const row = await store.get('parked', parkedKey(alert.subject));
  if (!row) return acknowledged(deps, alert, call);
  const decision = needed(values, 'decision');
  if (decision === 'drop') {
    if (!OPEN_PARKED.includes(row.state)) return row.state;
    return (await dropParked(store, row, needed(values, 'note'), deps.clock.nowMs())).state;
  }
  if (row.state !== 'waiting') return row.state;
  if (decision !== 'retry' || row.message === null) {
    const rule = row.message === null ? 'drop: the message was not kept' : 'retry or drop';
    throw invalidParameters([{ name: 'decision', value: decision, message: `must be ${rule}` }]);
  }
  return (await retryLater(store, row)).state;
}

import { STATUSES } from '@tillbridge/wire/terminals/verifone/statuses.js';
import { STATUS_INFO } from '@tillbridge/wire/terminals/verifone/tags.js';
import type { CardRead } from '../core/payment-core.js';
import type { DeviceContext, Handler, HandlerAnswer } from './device-context.js';
import { DECISIONS, obfuscatedObjects, resultObjects } from './emv-output.js';
import { StatusError, statusInfo } from './status-error.js';
import { hostOutcome, saleInputs } from './transaction-inputs.js';

/** CTLS INIT FRAMEWORK. */
export const ctlsInit: Handler = ({ flags }) => {
  flags.contactlessReady = true;
  return {};
};

/** CTLS SETUP TRANSACTION: what the next tap is for. */
export const ctlsSetup: Handler = ({ flags, store }, { objects }) => {
  if (!flags.contactlessReady) throw new StatusError('emvInternal');
  store.contactless = { phase: 'set-up', sale: saleInputs(objects) };
  return {};
};

/** CTLS CONTINUE OFFLINE: what the tap came to. */
export const ctlsOffline: Handler = (ctx) => {
  const { store, ui } = ctx;
  const transaction = store.contactless;
  if (transaction?.phase === 'set-up') throw new StatusError('emvNoCard');
  if (transaction?.phase !== 'tapped') throw new StatusError('emvBadSequence');
  const { outcome } = transaction;
  store.contactless = { phase: 'ended' };
  if ('error' in outcome) throw outcome.error;
  const answer = tapAnswer(ctx, outcome);
  const online = answer.sw === STATUSES.emvArqc.code;
  if (online) store.contactless = { phase: 'online' };
  ui.setState(online ? 'online' : 'idle');
  return answer;
};

function tapAnswer({ core }: DeviceContext, read: CardRead): HandlerAnswer {
  if (read.kind === 'tap-magstripe') {
    const objects = [statusInfo(STATUS_INFO.tapMagstripe), ...obfuscatedObjects(read.account)];
    return { sw: STATUSES.emvArqc.code, objects };
  }
  if (read.kind !== 'chip') throw new StatusError('emvOtherCard');
  const { cryptogram, verification } = core.tapDecision;
  const cvm = {
    'online-pin': STATUS_INFO.onlinePin,
    signature: STATUS_INFO.signature,
    none: 0,
  } as const;
  return {
    sw: DECISIONS[cryptogram],
    objects: resultObjects(read.data, read.account, STATUS_INFO.tapChip | cvm[verification]),
  };
}

/** CTLS CONTINUE ONLINE: the card has left the field, so that the host's decision is final. */
export const ctlsOnline: Handler = async ({ core, store, ui }, { objects }) => {
  if (store.contactless?.phase !== 'online') throw new StatusError('emvBadSequence');
  const outcome = hostOutcome(objects);
  store.contactless = { phase: 'ended' };
  const { decision } = await core.complete(outcome);
  ui.setState('idle');
  return { sw: decision === 'approved' ? STATUSES.emvTc.code : STATUSES.emvAac.code };
};

/** CTLS BREAK and CTLS END TRANSACTION: no tap is waited for any more. */
export const ctlsEnd: Handler = ({ store }) => {
  store.contactless = undefined;
  return {};
};

import {
  type AlertSourceDeps,
  acknowledged,
  acknowledgement,
  alertSource,
} from '../../core/inbox/alert-source.js';
import type {
  InboxAction,
  InboxCall,
  InboxParameter,
  InboxSource,
  InboxState,
} from '../../core/inbox/inbox-source.js';
import { type DeviceRemedy, remedyOf } from '../../core/payments/policy/refused-device.js';
import { RequestRefused } from '../../kernel/http/request/envelope.js';
import { needed } from '../../kernel/http/request/valid-values.js';
import type { AlertRow } from '../../kernel/store/rows.js';
import { readDevice } from '../../security/devices/inventory-file.js';
import { InventoryError } from './inventory-error.js';
import { addDevices, assignDevice, type InventoryDeps, stepDevice, unlock } from './service.js';

/** What devices are looked after with, but for the store and the caller of an action. */
type DeviceSourceDeps = AlertSourceDeps & Pick<InventoryDeps, 'random'>;

/** Codes of the alerts about devices whose sales are refused. */
const CODES = ['device-refused', 'device-locked', 'entity-locked', 'device-key-missing'] as const;

const MONEY = 'It moves no money: sales that were refused stay refused, later ones are taken.';

/** Steps that correct why a sale was refused. */
const STEPS: Readonly<Record<Exclude<DeviceRemedy['step'], 'show'>, string>> = {
  add: 'Adds the device to the inventory. Compare the serial with the device first.',
  assign: 'Puts the device to use where its sale came from. Look where it is first.',
  resume: 'Uses the device again. Look why it was suspended first.',
};

/** Devices whose sales are refused: each is added, put to use or unlocked. */
export function refusedDevices(deps: DeviceSourceDeps): InboxSource {
  return alertSource(deps, {
    kind: 'refused-device',
    codes: CODES,
    about: (alert) => ({ action: actionOn(alert) }),
    act: async (alert, call) => {
      try {
        return await resolve(deps, alert, call);
      } catch (error) {
        if (!(error instanceof InventoryError)) throw error;
        throw refusal(call, error.message);
      }
    },
  });
}

function actionOn({ code, detail, entityId }: AlertRow): InboxAction {
  const right = 'operator';
  if (code === 'device-locked' || code === 'entity-locked') {
    const text = 'Takes account data again. Find out who sent what could not be taken first.';
    return { name: 'unlock', text, money: MONEY, right, parameters: [] };
  }
  const remedy = code === 'device-refused' ? remedyOf(detail) : undefined;
  if (!remedy || remedy.step === 'show')
    return acknowledgement(code, entityId === null ? right : 'administration');
  const { step } = remedy;
  return { name: step, text: STEPS[step], money: MONEY, right, parameters: parametersOf(remedy) };
}

/** What a person adds to the command of the alert, and may correct in it. */
function parametersOf({ step, serial, options }: DeviceRemedy): readonly InboxParameter[] {
  const parameter = (name: InboxParameter['name'], value: string | undefined): InboxParameter => ({
    name,
    required: value === undefined,
    ...(value !== undefined && { value }),
  });
  if (step !== 'add') return [parameter('serial', serial)];
  const { type, terminal } = options;
  return [parameter('serial', serial), parameter('deviceType', type), parameter('terminalId', terminal)];
}

async function resolve(deps: DeviceSourceDeps, alert: AlertRow, call: InboxCall): Promise<InboxState> {
  const { store, actor, values } = call;
  const inventory: InventoryDeps = { ...deps, store, actor };
  const { code, subject } = alert;
  if (code === 'device-locked' || code === 'entity-locked') {
    const isUnlocked = await unlock(inventory, code === 'device-locked' ? 'device' : 'entity', subject);
    // The lock has ended by itself.
    return isUnlocked ? 'cleared' : acknowledged(deps, alert, call);
  }
  const remedy = code === 'device-refused' ? remedyOf(alert.detail) : undefined;
  if (!remedy || remedy.step === 'show') return acknowledged(deps, alert, call);
  const { step, options } = remedy;
  const { type, terminal, agent, entity } = options;
  const serial = values.get('serial') ?? remedy.serial ?? needed(values, 'serial');
  const terminalId = values.get('terminalId') ?? terminal;
  const place = {
    ...(agent !== undefined && { agentId: agent }),
    ...(terminalId !== undefined && { terminalId }),
  };
  if (step === 'resume') await stepDevice(inventory, serial, 'resume');
  else if (step === 'assign') await assignDevice(inventory, serial, place);
  else {
    const deviceType = values.get('deviceType') ?? type ?? needed(values, 'deviceType');
    const { 'account-ksn': accountKsn, 'pin-ksn': pinKsn } = options;
    const written = readDevice({ serial, deviceType, accountKsn, pinKsn, entityId: entity, ...place });
    if (!('serial' in written))
      throw refusal(call, written.map(({ field, problem }) => `${field}: ${problem}`).join('; '));
    await addDevices(inventory, [written]);
  }
  return (await store.get('alerts', [alert.id]))?.state ?? 'cleared';
}

function refusal({ values }: InboxCall, message: string): RequestRefused {
  return new RequestRefused('inbox-refused', [
    { name: 'serial', value: values.get('serial') ?? null, message },
  ]);
}

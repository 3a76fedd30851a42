import {
  DEVICE_ASSIGNMENT_PARAMETERS,
  DEVICE_LIST_PARAMETERS,
  DEVICE_PARAMETERS,
  DEVICE_SUSPENSION_PARAMETERS,
  DEVICE_SWAP_PARAMETERS,
} from '@tillbridge/protocol/api/catalogue/administration/devices.js';
import type { Parameter } from '@tillbridge/protocol/api/catalogue/rows/parameter.js';
import { validateParameters } from '@tillbridge/protocol/api/validate.js';
import { present } from '@tillbridge/protocol/present.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type DeviceView, deviceDetail, deviceView } from '../../inventory/device-view.js';
import {
  assignDevice,
  findDevice,
  type InventoryDeps,
  stepDevice,
  swapDevices,
} from '../../inventory/inventory.js';
import { InventoryError } from '../../inventory/inventory-error.js';
import type { DeviceRow } from '../../store/rows.js';
import { callerOf } from '../request/authenticate.js';
import type { HttpDeps } from '../request/deps.js';
import { envelope, invalidParameters, RequestRefused } from '../request/envelope.js';
import { type Form, formOf } from '../request/form.js';

const READ = { config: { right: 'administration', throttle: 'reads' } } as const;
const CHANGE = { config: { right: 'administration', throttle: 'followUps' } } as const;
/** Code of what went well. */
const DONE = '000.000.100';
/** Devices of an answer unless `limit` says otherwise. */
const DEFAULT_LIMIT = 100;

type Values = ReadonlyMap<string, string>;
type Step = (deps: InventoryDeps, serial: string, values: Values) => Promise<DeviceRow>;

/** What may be done with a device, by the last part of its path, and the parameters of each. */
const STEPS: Readonly<Record<string, readonly [rows: readonly Parameter[], step: Step]>> = {
  assignment: [
    DEVICE_ASSIGNMENT_PARAMETERS,
    (deps, serial, values) =>
      assignDevice(
        deps,
        serial,
        present({ agentId: values.get('agentId'), terminalId: values.get('terminalId') }),
      ),
  ],
  suspension: [
    DEVICE_SUSPENSION_PARAMETERS,
    (deps, serial, values) =>
      stepDevice(deps, serial, values.get('tampered') === 'true' ? 'tamper' : 'suspend'),
  ],
  resumption: [DEVICE_PARAMETERS, (deps, serial) => stepDevice(deps, serial, 'resume')],
  decommission: [DEVICE_PARAMETERS, (deps, serial) => stepDevice(deps, serial, 'decommission')],
  swap: [
    DEVICE_SWAP_PARAMETERS,
    async (deps, serial, values) => {
      const replacement = values.get('replacement');
      if (replacement === undefined)
        throw invalidParameters([{ name: 'replacement', value: null, message: 'may not be empty' }]);
      return (await swapDevices(deps, serial, replacement)).new;
    },
  ],
};

/** Additions of ours: the devices of a merchant. Adding devices is the operator's. */
export function deviceRoutes(server: FastifyInstance, deps: HttpDeps): void {
  server.get('/v1/devices', READ, async (request) => {
    const values = valuesOf(formOf(request), DEVICE_LIST_PARAMETERS);
    const owners = await callerOf(request).readableEntities(values.get('entityId'));
    const limit = Number(values.get('limit') ?? DEFAULT_LIMIT);
    const rows = await devicesOf(deps, owners, values.get('after'), limit + 1);
    const devices = rows.slice(0, limit).map(deviceView);
    const next = rows.length > limit ? devices.at(-1)?.serial : undefined;
    return { ...envelope(deps, DONE), devices, ...present({ next }) };
  });
  server.get<WithSerial>('/v1/devices/:id', READ, (request) =>
    answer(deps, request, DEVICE_PARAMETERS, async (inventory, serial) =>
      deviceDetail(deps, await findDevice(inventory, serial)),
    ),
  );
  for (const [name, [rows, step]] of Object.entries(STEPS))
    server.post<WithSerial>(`/v1/devices/:id/${name}`, CHANGE, (request) =>
      answer(deps, request, rows, async (...asked) => deviceView(await step(...asked))),
    );
}

interface WithSerial {
  Params: { id: string };
}

/** @throws RequestRefused; a device of another merchant is one that is not there */
async function answer(
  deps: HttpDeps,
  request: FastifyRequest<WithSerial>,
  rows: readonly Parameter[],
  work: (inventory: InventoryDeps, serial: string, values: Values) => Promise<DeviceView>,
): Promise<object> {
  const values = valuesOf(formOf(request), rows);
  const caller = callerOf(request);
  const owners = await caller.readableEntities(values.get('entityId'));
  const actor = `token ${caller.token.id}`;
  try {
    const device = await work({ ...deps, owners, actor }, request.params.id, values);
    return { ...envelope(deps, DONE), device };
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    throw new RequestRefused(error.code === 'unknown-device' ? 'no-device' : 'device-refused');
  }
}

/** Devices of the entities in the order of their serials. @throws StoreUnavailableError */
async function devicesOf(
  { store }: HttpDeps,
  owners: readonly string[],
  after: string | undefined,
  limit: number,
): Promise<readonly DeviceRow[]> {
  const options = { limit, ...(after !== undefined && { after: [after] }) };
  const found: DeviceRow[] = [];
  for (const owner of owners) found.push(...(await store.find('devices', 'entity', [owner], options)));
  return found.sort((a, b) => (a.serial < b.serial ? -1 : 1)).slice(0, limit);
}

/** Valid parameters. @throws RequestRefused naming every fault */
function valuesOf(form: Form, rows: readonly Parameter[]): Values {
  const { values, errors } = validateParameters(form.parameters, rows);
  if (form.errors.length + errors.length > 0) throw invalidParameters([...form.errors, ...errors]);
  return values;
}

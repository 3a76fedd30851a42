import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  DEVICE_ASSIGNMENT_PARAMETERS,
  DEVICE_LIST_PARAMETERS,
  DEVICE_PARAMETERS,
  DEVICE_SUSPENSION_PARAMETERS,
  DEVICE_SWAP_PARAMETERS,
} from '../../kernel/api/catalogue/administration/devices.js';
import type { Parameter } from '../../kernel/api/catalogue/rows/parameter.js';
import { readAdministration, type Steps, type Values } from '../../kernel/http/request/administration.js';
import type { HttpDeps } from '../../kernel/http/request/deps.js';
import { done, RequestRefused } from '../../kernel/http/request/envelope.js';
import { listPage } from '../../kernel/http/request/list-page.js';
import { ADMINISTRATION, type WithId } from '../../kernel/http/request/route-kinds.js';
import { needed } from '../../kernel/http/request/valid-values.js';
import type { DeviceRow } from '../../kernel/store/rows.js';
import type { FindOptions } from '../../kernel/store/store.js';
import { type DeviceView, deviceDetail, deviceView } from './device-view.js';
import { InventoryError } from './inventory-error.js';
import { assignDevice, findDevice, type InventoryDeps, stepDevice, swapDevices } from './service.js';

const STEPS: Steps<InventoryDeps, DeviceRow> = {
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
    async (deps, serial, values) => (await swapDevices(deps, serial, needed(values, 'replacement'))).new,
  ],
};

/** Additions of ours: the devices of a merchant. Adding devices is the operator's. */
export function deviceRoutes(server: FastifyInstance, deps: HttpDeps): void {
  server.get('/v1/devices', ADMINISTRATION.read, async (request) => {
    const { values, owners } = await readAdministration(request, DEVICE_LIST_PARAMETERS);
    const finds = owners.map(
      (owner) => (options: FindOptions) => deps.store.find('devices', 'entity', [owner], options),
    );
    const { rows, ...next } = await listPage(values, ({ serial }) => serial, finds);
    return done(deps, { devices: rows.map(deviceView), ...next });
  });
  server.get<WithId>('/v1/devices/:id', ADMINISTRATION.read, (request) =>
    answer(deps, request, DEVICE_PARAMETERS, async (inventory, serial) =>
      deviceDetail(deps, await findDevice(inventory, serial)),
    ),
  );
  for (const [name, [rows, step]] of Object.entries(STEPS))
    server.post<WithId>(`/v1/devices/:id/${name}`, ADMINISTRATION.change, (request) =>
      answer(deps, request, rows, async (...read) => deviceView(await step(...read))),
    );
}

/** @throws RequestRefused; a device of another merchant is one that is not there */
async function answer(
  deps: HttpDeps,
  request: FastifyRequest<WithId>,
  rows: readonly Parameter[],
  work: (inventory: InventoryDeps, serial: string, values: Values) => Promise<DeviceView>,
): Promise<object> {
  const { values, ...caller } = await readAdministration(request, rows);
  try {
    const device = await work({ ...deps, ...caller }, request.params.id, values);
    return done(deps, { device });
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    throw new RequestRefused(error.code === 'unknown-device' ? 'no-device' : 'device-refused');
  }
}

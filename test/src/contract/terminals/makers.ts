import { openMaker as gertec } from '@tillbridge/agent/drivers/gertec/session.js';
import { openMaker as idtech } from '@tillbridge/agent/drivers/idtech/session.js';
import { openMaker as magtek } from '@tillbridge/agent/drivers/magtek/session.js';
import { openMaker as miura } from '@tillbridge/agent/drivers/miura/session.js';
import { openMaker as newland } from '@tillbridge/agent/drivers/newland/session.js';
import { openMaker as verifone } from '@tillbridge/agent/drivers/verifone/session.js';
import { DEVICE_TYPES, type DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import type { Ability, Maker } from './maker.js';

/** Of every maker. */
const COMMON = ['tap', 'tap-magstripe', 'two-cards', 'online-pin'] as const;
const OFFLINE = ['offline-fallback', 'floor-limit'] as const;

const abilities = (...more: readonly Ability[]): ReadonlySet<Ability> => new Set([...COMMON, ...more]);

const ROWS: Readonly<Record<DeviceType, Omit<Maker, 'deviceType'>>> = {
  GERTEC_PPC930: {
    transports: ['serial'],
    abilities: abilities(...OFFLINE, 'magstripe-pin'),
    differsInForm: true,
    openMaker: gertec,
  },
  IDTECH_VP6800: {
    transports: ['hid', 'serial'],
    abilities: abilities(...OFFLINE, 'manual'),
    openMaker: idtech,
  },
  MAGTEK_DYNAFLEX: {
    transports: ['hid', 'serial'],
    otherFramings: ['serial'],
    abilities: abilities('manual', 'repeats-request'),
    openMaker: (parts) => magtek(parts, { seconds: 1, retries: 250 }),
  },
  MIURA_M020: {
    transports: ['serial', 'tcp'],
    abilities: abilities('magstripe-pin'),
    openMaker: miura,
  },
  NEWLAND_P180: {
    transports: ['serial'],
    abilities: abilities(...OFFLINE, 'manual', 'magstripe-pin'),
    openMaker: newland,
  },
  VERIFONE_P400: {
    transports: ['serial', 'tcp'],
    abilities: abilities(...OFFLINE, 'manual', 'magstripe-pin'),
    openMaker: verifone,
  },
};

/** Every maker. */
export const MAKERS: readonly Maker[] = DEVICE_TYPES.map((deviceType) => ({
  deviceType,
  ...ROWS[deviceType],
}));

/** Every framing and form of every maker, for the tests in memory: name, maker, transport. */
export const FRAMINGS: readonly (readonly [string, Maker, Transport])[] = MAKERS.flatMap((maker) => [
  [maker.deviceType, maker, maker.transports[0]] as const,
  ...(maker.otherFramings ?? []).map(
    (transport) => [`${maker.deviceType} by ${transport}`, maker, transport] as const,
  ),
  ...(maker.differsInForm
    ? [[`${maker.deviceType} as captured`, { ...maker, form: 'captured' }, maker.transports[0]] as const]
    : []),
]);

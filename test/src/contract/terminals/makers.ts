import { developmentConfig } from '@tillbridge/agent/drivers/gertec/default-tables.js';
import { openGertecDriver } from '@tillbridge/agent/drivers/gertec/gertec-driver.js';
import { openIdtechDriver } from '@tillbridge/agent/drivers/idtech/idtech-driver.js';
import { openMagtekDriver } from '@tillbridge/agent/drivers/magtek/magtek-driver.js';
import { openMiuraDriver } from '@tillbridge/agent/drivers/miura/miura-driver.js';
import { openNewlandDriver } from '@tillbridge/agent/drivers/newland/newland-driver.js';
import { openVerifoneDriver } from '@tillbridge/agent/drivers/verifone/verifone-driver.js';
import type { Transport } from '@tillbridge/agent/ports/open-port.js';
import type { Ability, Maker } from './maker.js';

const PLACE = {
  country: '276',
  currency: 'EUR',
  merchantCategory: '5999',
  merchantId: 'SHOP1',
  terminalId: 'T1',
} as const;

const abilities = (...names: readonly Ability[]): ReadonlySet<Ability> => new Set(names);

/** Every maker; one row each. */
export const MAKERS: readonly Maker[] = [
  {
    deviceType: 'GERTEC_PPC930',
    transports: ['serial'],
    abilities: abilities(
      'tap',
      'tap-stripe',
      'two-cards',
      'offline-fallback',
      'floor-limit',
      'online-pin',
      'stripe-pin',
    ),
    openDriver: ({ port, clock, log }) =>
      openGertecDriver({ port, clock, log, config: developmentConfig(PLACE) }),
  },
  {
    deviceType: 'IDTECH_VP6800',
    transports: ['hid', 'serial'],
    abilities: abilities(
      'tap',
      'tap-stripe',
      'manual',
      'two-cards',
      'offline-fallback',
      'floor-limit',
      'online-pin',
    ),
    openDriver: ({ port, clock, log, transport }) =>
      openIdtechDriver({ port, clock, log, transport, idleText: 'READY' }),
  },
  {
    deviceType: 'MAGTEK_DYNAFLEX',
    transports: ['hid', 'serial'],
    otherFramings: ['serial'],
    abilities: abilities('tap', 'tap-stripe', 'manual', 'two-cards', 'online-pin', 'repeats-request'),
    openDriver: ({ port, clock, log, transport }) =>
      openMagtekDriver({
        port,
        clock,
        log,
        transport: transport === 'serial' ? 'serial' : 'hid',
        patience: { seconds: 1, retries: 250 },
      }),
  },
  {
    deviceType: 'MIURA_M020',
    transports: ['serial', 'tcp'],
    abilities: abilities('tap', 'tap-stripe', 'two-cards', 'online-pin', 'stripe-pin'),
    openDriver: ({ port, clock, log }) => openMiuraDriver({ port, clock, log, idleText: 'READY' }),
  },
  {
    deviceType: 'NEWLAND_P180',
    transports: ['serial'],
    abilities: abilities(
      'tap',
      'tap-stripe',
      'manual',
      'two-cards',
      'offline-fallback',
      'floor-limit',
      'online-pin',
      'stripe-pin',
    ),
    openDriver: ({ port, clock, log }) => openNewlandDriver({ port, clock, log, idleText: 'READY' }),
  },
  {
    deviceType: 'VERIFONE_P400',
    transports: ['serial', 'tcp'],
    abilities: abilities(
      'tap',
      'tap-stripe',
      'manual',
      'two-cards',
      'offline-fallback',
      'floor-limit',
      'online-pin',
      'stripe-pin',
    ),
    openDriver: ({ port, clock, log, transport }) =>
      openVerifoneDriver({ port, clock, log, transport, idleText: 'READY' }),
  },
];

/** Every framing of every maker, for the tests in memory: name, maker, transport. */
export const FRAMINGS: readonly (readonly [string, Maker, Transport])[] = MAKERS.flatMap((maker) => [
  [maker.deviceType, maker, maker.transports[0]] as const,
  ...(maker.otherFramings ?? []).map(
    (transport) => [`${maker.deviceType} by ${transport}`, maker, transport] as const,
  ),
]);

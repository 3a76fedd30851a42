import { listed } from '@tillbridge/platform/config/list-setting.js';
import { path } from '@tillbridge/platform/config/setting.js';
import { section } from '@tillbridge/platform/schema/fields.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { isTlsPin } from '@tillbridge/wire/bridge/gateway-pins.js';
import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';

/** What agents check of the servers that they reach. */
export const BRIDGE_SECTION = section(
  {
    tlsPins: Type.Optional(
      listed(
        `up to ${BRIDGE_LIMITS.maxPins - 1} pins sha256/BASE64 of public keys, parted by commas`,
        arePins,
        {
          description:
            'Pins of TLS keys that agents may meet in addition to that of `tls`: those of the proxies, and the next key before it is used.',
          env: 'GATEWAY_BRIDGE_TLS_PINS',
        },
      ),
    ),
    authorityFile: Type.Optional(
      path(
        {
          description: 'Private certification authorities of these keys; agents learn them by enrolment.',
          env: 'GATEWAY_BRIDGE_AUTHORITY_FILE',
        },
        'the path of certificates in PEM',
      ),
    ),
  },
  { default: {} },
);

function arePins(pins: readonly string[]): boolean {
  return pins.length < BRIDGE_LIMITS.maxPins && pins.every(isTlsPin);
}

import { listed } from '@tillbridge/platform/config/list-setting.js';
import { section } from '@tillbridge/platform/schema/fields.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { arePeers } from './peer-lists.js';

/** Where the gateway may call: receivers of webhooks, shops, risk screening. */
export const EGRESS_SECTION = section(
  {
    allow: Type.Optional(
      listed('addresses or networks, parted by commas, such as 10.0.0.0/8', arePeers, {
        description:
          'Private networks that merchants may name in URLs which the gateway calls, such as those of webhooks. Public addresses are allowed always.',
        env: 'GATEWAY_EGRESS_ALLOW',
      }),
    ),
  },
  { default: {} },
);

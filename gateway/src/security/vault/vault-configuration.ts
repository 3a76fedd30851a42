import { section, wholeNumber } from '@tillbridge/platform/schema/fields.js';

/** How long card data and the keys of it serve. */
export const VAULT_SECTION = section(
  {
    keepDays: wholeNumber(
      1,
      3_650,
      {
        description: 'How long card data is kept after its last use, where no registration needs it.',
        env: 'GATEWAY_VAULT_KEEP_DAYS',
        default: 90,
      },
      'days',
    ),
    rotateDays: wholeNumber(
      1,
      3_650,
      {
        description: 'Age at which the data key of the vault is replaced.',
        env: 'GATEWAY_VAULT_ROTATE_DAYS',
        default: 365,
      },
      'days',
    ),
  },
  { default: {} },
);

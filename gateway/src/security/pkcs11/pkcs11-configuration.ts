import { path } from '@tillbridge/platform/config/setting.js';
import { section, text } from '@tillbridge/platform/schema/fields.js';

/** A token's label: up to 32 printable characters (PKCS#11 CK_TOKEN_INFO). */
export const PKCS11_SECTION = section({
  library: path(
    { description: 'Library of a token that holds the symmetric keys.', env: 'GATEWAY_PKCS11_LIBRARY' },
    'the path of the PKCS#11 library of a token',
  ),
  token: text('the label of the token, up to 32 characters', /^[\x20-\x7e]{1,32}$/, {
    description: 'Label of the token.',
    env: 'GATEWAY_PKCS11_TOKEN',
  }),
  pinFile: path(
    { description: 'The user’s PIN of the token.', env: 'GATEWAY_PKCS11_PIN_FILE' },
    'the path of a file of mode 0600 with the PIN of the token',
  ),
});

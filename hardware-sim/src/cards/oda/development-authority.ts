import { createPrivateKey, type KeyObject } from 'node:crypto';

/**
 * Private keys (PKCS#8, base64) of the development certification authority, its one issuer and the chip that all virtual cards share. They are
 * published here on purpose: with them anyone makes cards that terminals with the development CAPKs take for genuine, and none else do.
 * Exponent 3; 1,152, 1,024 and 896 bits, so that each certificate and signature fits in one answer of a card.
 */
const PRIVATE_KEYS = {
  certificationAuthority:
    'MIICvwIBADANBgkqhkiG9w0BAQEFAASCAqkwggKlAgEAAoGRAOvoqiUweWe3ANedRuMl8h9+0vOjpE5VOXmNFbA9BW2wFGOEojGI' +
    'kXQsJQyJiPn4Mft5uTRTqNR/rPA1EivzD7vzjdrDL54FEnta1C9DaLGJfIaz/TVJ2EkFaFia32DeUNR1jh3Boh4aEh6KAHRjx9vq' +
    'EXwA084fnlBfxLfQ58gzJqvW4Kq69IA/94ePqiLPDwIBAwKBkQCdRcbDdaZFJKs6aNnsw/a/qeH3wm2JjiZRCLkgKK5JIA2XrcF2' +
    'WwuiyBizBltRUCFSUSYi4nCNqnNKzgwdTLUn97PnLMppWLW1KYVkS8BT4I8VYUdmIfFQxU4ODSsxXApJF7A7eBEITELXDPCMYSqL' +
    'wzN4mj8MiNAWICcW2Y+MF/dza4q1MhJm9T6TRAnxxdsCSQD7FC23Lr3BUwILupDQuWXmynKgTTaE2cxBUvZnebk7c0JzzywD7wsv' +
    'bavjXk/z/ze93rDg0Q6SUn3FprPTaw4gVvzWX4JZWiUCSQDwiF5howpyZaPa54FLXYhpEwCjOegR+nUlfw9dE89WNGtoJ2ud4vza' +
    '15hjuyVHUy5xUNk0uYHjvLW5DtzHhMrFeRzUShjezCMCSQCnYskkydPWN1ayfGCLJkPvMaHAM3mt5ogrjKRE+9DSTNb333KtSgd0' +
    '88fs6YqiqiUpPyCV4LRhjFPZGc03nLQVj1M5lQGQ5sMCSQCgWumWbLGhmRfnRQDc6QWbYgBs0UVhUaNuVLTot9+OzZzwGke+l1M8' +
    'j7rtJ24vjMmg4JDN0QFCfc57Xz3aWIcuUL3i3BCUiBcCSQCWhKXbSaLc4ZvajDx24hKDS9JKaT0aFRGrWE/OUvKkrmxMUD0WG6pH' +
    'MzWaAQ6jfuPn4OJc801NRGYAcs5jR74PZtqYFwiRuAA=',
  issuer:
    'MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBAM/IGzVwL7ZYhg0xszgNPYCcsMn2+uGBIbsWunotHg8LMMplp9GK' +
    'gHLphPe6XywpDQpwvfTNIqr2EIqwPr6fbMKj2mXdAg1702JHvzs6OZIzghJ/bt6NFyzRe67QUG44rPjjlGbQPfY/15Mbgy5Ith6y' +
    '0AVtwCO50iZHjvTlamxjAgEDAoGBAIqFZ3j1dSQ7BAjLzNAI06sTIIakp0EAwSdkfFFzaV9cyzGZGouxqvdGWKUm6h1ws1xLKU3e' +
    'FxykCwcgKdRqSICOGu7K/Ym3Kzj3Z9UEjdJeVY2STqEahVbrZzCpP2zbhSKHvKx0t0i7I+zaKY9qmpndBvIxn1yVhIyDDKxgM7eb' +
    'AkEA+YDd6YKhUVLSA2vpBZlnofOgMrJik5S9+P5qtNRD2qQu8xe6Qk2U7MGO+9cB0BZrEP+FDrhhZBD0EWT0YYeoLQJBANUxIcMD' +
    'HZe/utE3kq3LbwQOHfFGilG6bHdiex2dBxTBFiThqd7ddDpgINht1Vi3zNZGFRSYt3V6X3GW/fOVMM8CQQCmVelGVxY2Nzas8ptZ' +
    'EO/BTRV3IZcNDdP7VEcjOC08bXSiD9GBiQ3zK7Sn5KvgDvILVQNfJZZCtfgLmKLrr8VzAkEAjiDBLKy+ZSp8i3phyTJKArQT9i8G' +
    '4Sby+kGnaRNaDdYOw0Eb6ej4JurAkEk45c/d5C64uGXPo6bqS7n+omN13wJBAKsm8eo8PxWcgo86cxXzq83fe5Kx2IjXb7AMmyi+' +
    'zWl8b+RSQrfV9WXygWeVvciTEbRfGVcBIxNmBdnlbxPxOBU=',
  icc:
    'MIICLQIBADANBgkqhkiG9w0BAQEFAASCAhcwggITAgEAAnEAw8NBwM0q8gBp3Jt5LGJue3D0/jsBToXLzKtPenDV3FVRdIw3sZ2h' +
    'qKHjP4kp+ubznBVVEsIxHr4S04fwrKj2O36MQGkxyO988ix1u6MyN9/lAUgXeyFE7htLyCICViFN9nPF9a4p+3SGD5c860xxOQIB' +
    'AwJxAIKCK9XeHKFVm+hnph2W9FJLTf7SAN8D3TMc36b14+g44PhdenZpFnBr7NUGG/yZ971jjgyBdhR9jIlwj8sSRlM/gcIZMldo' +
    'VTig4jI3u2ogUCMctIaDBzg43HxtPdIwgE+wnpcxzH+qoIfm9PVDb0MCOQDoGaZbRYVtzsZwqAbP6kYnnG8idcW13zB6g64IewyN' +
    'FUWUgTybNXKtGhDBpIQrosPDUOAHgj8NCwI5ANfruL22iB7v2Nj1PJZbjNWAy//6ieM5fvJI7wA2UC0EgGyMQYplZeBk2hZuX0uZ' +
    'MNHy3MX5KD1LAjkAmrvEPNkDnonZoHAEipwuxRL0waPZI+ogUa0esFIIXg4uYwDTEiOhyLwLK8MCx8HX14tABQF/XgcCOQCP8nsp' +
    'JFq/SpCQo325kl3jqzKqpwaXe6n220oAJDVzWFWdstZcQ5lAQzwO9D+Hu3XhTJMuphrThwI5AJrGM+Xg6mCvm3sd04xWhaqW1yn/' +
    'v0NAxjOVk6KFGowX6fYpx82t6IqqqRYx4/azCkGk9HvfATzs',
} as const;

/** Who signs. */
type OdaSigner = keyof typeof PRIVATE_KEYS;

/** A key that signs with message recovery. */
export interface OdaKey {
  readonly privateKey: KeyObject;
  readonly modulus: Buffer;
  readonly exponent: Buffer;
}

const loaded = new Map<OdaSigner, OdaKey>();

/** A key of the development hierarchy. */
export function odaKey(signer: OdaSigner): OdaKey {
  const known = loaded.get(signer);
  if (known !== undefined) return known;
  const privateKey = createPrivateKey({
    key: Buffer.from(PRIVATE_KEYS[signer], 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
  const { n = '', e = '' } = privateKey.export({ format: 'jwk' });
  const key = { privateKey, modulus: Buffer.from(n, 'base64url'), exponent: Buffer.from(e, 'base64url') };
  loaded.set(signer, key);
  return key;
}

import { WALLET_NAMES, type WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import { present } from '@tillbridge/wire/present.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import type { ParameterError } from '../../kernel/api/validate.js';
import type { WalletData } from '../payments/rules/requests.js';

/** The parameters by which a request names a wallet: its token, or where the deciphered one came from. */
const NAMED_BY = WALLET_NAMES.map((name) => ({
  name,
  token: `${name}.paymentToken`,
  source: `${name}.source`,
}));

/** Wallets that a request names. */
function walletsIn(values: ParameterValues): readonly WalletName[] {
  return NAMED_BY.filter(({ token, source }) => values.has(token) || values.has(source)).map(
    ({ name }) => name,
  );
}

/** Errors of a request with two means of payment: another wallet, or a card in addition to a token that has one inside. */
export function walletErrors(values: ParameterValues): ParameterError[] {
  const [first, ...others] = walletsIn(values);
  if (first === undefined) return [];
  const withCard = values.has('card.number') || values.has('pos.terminalId');
  return [
    ...others.map((name) => ({
      name: values.has(`${name}.paymentToken`) ? `${name}.paymentToken` : `${name}.source`,
      value: null,
      message: `must not be sent together with ${first}`,
    })),
    ...(withCard && values.has(`${first}.paymentToken`)
      ? [
          {
            name: `${first}.paymentToken`,
            value: null,
            message: 'must not be sent together with another card',
          },
        ]
      : []),
  ];
}

/** The wallet of valid parameters; undefined when none was sent. */
export function walletOf(values: ParameterValues): WalletData | undefined {
  const [name] = walletsIn(values);
  if (name === undefined) return undefined;
  const token = values.get(`${name}.paymentToken`);
  if (token !== undefined) return { name, token };
  return {
    name,
    source: values.get(`${name}.source`) as 'web' | 'app',
    proof: {
      cryptogram: values.get('threeDSecure.verificationId') ?? '',
      ...present({ eci: values.get('threeDSecure.eci') }),
    },
  };
}

/** The card's brand as it was sent: what names the wallet (`WALLETA`) leaves it to be detected. */
export function cardBrandOf(values: ParameterValues): string | undefined {
  const brand = values.get('paymentBrand');
  const isWallet = walletsIn(values).some((name) => name.toUpperCase() === brand);
  return isWallet ? undefined : brand;
}

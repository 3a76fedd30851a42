import {
  type ExchangeTexts,
  MAX_DETAILS_LENGTH,
} from '@tillbridge/protocol/iso8583/exchange/exchange-message.js';
import { present } from '@tillbridge/protocol/present.js';
import type { AcquirerMoneyRequest } from '../../acquirer.js';

/** Parameters with an element of their own. */
const OWN: Readonly<Record<string, keyof ExchangeTexts>> = {
  transactionCategory: 'transactionCategory',
  lifecycleId: 'lifecycleId',
  transactionPurposeCode: 'purposeCode',
};

/** What the merchant sent beside card and amount (pure). Where not all of it fits, the last parameters are left out, each as a whole. */
export function requestDetails({ details = {}, deferred }: AcquirerMoneyRequest): ExchangeTexts {
  const own: { -readonly [Name in keyof ExchangeTexts]: string } = {};
  let text = '';
  for (const [name, value] of Object.entries(details)) {
    const element = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
    if (element) own[element] = value;
    else text = withPair(text, name, value);
  }
  return {
    ...own,
    ...present({ details: text === '' ? undefined : text, deferred: deferred ? '1' : undefined }),
  };
}

function withPair(text: string, name: string, value: string): string {
  const longer = `${text === '' ? '' : `${text}&`}${new URLSearchParams({ [name]: value })}`;
  return longer.length <= MAX_DETAILS_LENGTH ? longer : text;
}

/** A card on file: mode, type, who initiates it, industry practice. */
export function standingText({
  mode,
  type,
  source,
  industryPractice,
}: NonNullable<AcquirerMoneyRequest['standing']>): string {
  return [mode, type, source, industryPractice].join();
}

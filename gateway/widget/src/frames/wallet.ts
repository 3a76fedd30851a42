import type { SheetAnswer } from '@tillbridge/wire/simulated-bank/wallet-sheet.js';
import type { FromWallet, ToWallet } from '../shared/messages.js';
import { isMessage, Shop } from './shop.js';
import { answerValue } from './value.js';

// Holds the sheet of a wallet, and the token that comes of it: the page of the shop never has it.

type Opened = Extract<ToWallet, { type: 'open' }>;

const sheet = document.getElementById('sheet') as HTMLIFrameElement;
let opened: Opened | undefined;
let origin = '';
let token = '';

const shop = new Shop<ToWallet, FromWallet>((message) => {
  // A script in the address of a frame would run in our origin.
  if (opened || message.type !== 'open' || !/^https?:/i.test(message.url)) return;
  opened = message;
  const address = new URL(message.url);
  origin = address.origin;
  address.searchParams.set('label', message.label);
  address.searchParams.set('origin', location.origin);
  sheet.title = message.title;
  sheet.addEventListener('load', () => sheet.focus());
  sheet.src = address.href;
});

addEventListener('message', ({ source, origin: from, data }: MessageEvent) => {
  if (source !== sheet.contentWindow || from !== origin || !isMessage(data)) return;
  const message = data as unknown as SheetAnswer;
  if (message.type === 'authorized') token = String(message.token);
  if (message.type === 'authorized' || message.type === 'cancelled') shop.tell({ type: message.type });
});

answerValue(
  () => opened && { checkoutId: opened.checkoutId, value: [`${opened.wallet}.paymentToken`, token] },
);

import type { FromChallenge, ReturnMessage, ToChallenge } from '../shared/messages.js';
import { isMessage, Shop } from './shop.js';

// Holds the page of a bank. The page of the shop frames the gateway alone, whatever banks there are; so its policy names no bank.

const bank = document.getElementById('bank') as HTMLIFrameElement;
let isOpen = false;

const shop = new Shop<ToChallenge, FromChallenge>(({ url, title }) => {
  // A script in the address of a frame would run in our origin.
  if (isOpen || !/^https?:/i.test(url)) return;
  isOpen = true;
  bank.title = title;
  bank.addEventListener('load', () => shop.tell({ type: 'loaded' }));
  bank.src = url;
});

addEventListener('message', ({ source, origin, data }: MessageEvent) => {
  if (source !== bank.contentWindow || origin !== location.origin || !isMessage(data)) return;
  const message = data as ReturnMessage;
  if (message.type === 'tillbridge-returned') shop.tell({ type: 'returned', url: message.url });
});

import { PaymentPage } from './page.js';
import { offerQuery } from './query.js';
import { CACHE_VERSION } from './shared/cache-version.js';
import { reportFault } from './shared/options.js';
import { scriptAddress } from './shared/script-address.js';

// The script of a shop's page (docs/widget.md). It replaces each `form.paymentWidgets`, now or as soon as there is one.

interface Global {
  wpwl?: { readonly unload: () => void };
}

const address = scriptAddress();
const shop = window as Global;
// A page of one piece loads the script again for its next checkout.
shop.wpwl?.unload();

if (address) {
  const page = new PaymentPage(address);
  offerQuery();
  Object.assign(shop, {
    wpwl: {
      cacheVersion: CACHE_VERSION,
      checkout: { id: address.checkoutId },
      executePayment: (container: unknown) => page.executePayment(container),
      unload: () => page.unload(),
    },
  });
  page.start();
} else reportFault({ name: 'WidgetError', message: 'the address of the script is none of a gateway' });

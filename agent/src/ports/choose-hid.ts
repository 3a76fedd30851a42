import type { Device } from 'node-hid';

/** Where a device speaks to programs: a usage page of the HID Usage Tables, and a usage on it. */
export interface HidUsage {
  readonly page: number;
  readonly usage: number;
}

/**
 * What the system lists of a HID device. A composite device is listed once for each interface, on Windows once for each top-level collection; a
 * system that reads no report descriptors (libusb) gives page 0.
 */
type Listed = Pick<Device, 'path' | 'serialNumber' | 'interface' | 'usagePage' | 'usage'>;

/** What is opened, or why nothing is. */
type HidChoice =
  | { readonly path: string }
  | { readonly fault: 'missing'; readonly others: readonly string[] }
  /** It is plugged in, and speaks as something else. */
  | { readonly fault: 'otherUse'; readonly uses: readonly string[] }
  /** Nothing distinguishes its interfaces. */
  | { readonly fault: 'ambiguous'; readonly paths: readonly string[] };

/** Usage pages that makers define for themselves: readers speak there, keyboards and media keys do not. */
const FIRST_VENDOR_PAGE = 0xff00;
/** What a reader that is set to another mode shows itself as. */
const USES: Readonly<Record<string, string>> = {
  '1.2': 'a mouse',
  '1.6': 'a keyboard',
  '12.1': 'media keys',
  '65.1': 'a braille display',
  '140.2': 'a barcode scanner',
  '142.1': 'a magnetic stripe reader of the standard page',
};

/**
 * Chooses what is opened of the devices of a vendor and product: of the first one, or of the one with this serial number, the interface that the
 * model speaks on, else one of a usage page of its maker. Never a keyboard. Pure.
 */
export function chooseHid(
  devices: readonly Listed[],
  { serial, usage }: { readonly serial?: string; readonly usage?: HidUsage },
): HidChoice {
  const wanted = serial ?? devices[0]?.serialNumber;
  const own = devices.filter(
    ({ path, serialNumber }) => path !== undefined && (serialNumber ?? '') === (wanted ?? ''),
  );
  if (own.length === 0)
    return { fault: 'missing', others: [...new Set(devices.map(({ serialNumber = '' }) => serialNumber))] };
  const exact = own.find((each) => each.usagePage === usage?.page && each.usage === usage?.usage);
  const chosen = exact ?? own.find(({ usagePage = 0 }) => usagePage >= FIRST_VENDOR_PAGE);
  if (chosen?.path !== undefined) return { path: chosen.path };
  const unread = own.filter(({ usagePage = 0 }) => usagePage === 0);
  const paths = [...new Set(unread.map(({ path = '' }) => path))];
  if (paths.length === 0) return { fault: 'otherUse', uses: [...new Set(own.map(useOf))] };
  const [only] = paths;
  return paths.length === 1 && only !== undefined ? { path: only } : { fault: 'ambiguous', paths };
}

/** What a listed collection is for, in words. Pure. */
export function useOf({ usagePage = 0, usage = 0 }: Pick<Listed, 'usagePage' | 'usage'>): string {
  const hex = usagePage.toString(16).toUpperCase().padStart(4, '0');
  return USES[`${usagePage}.${usage}`] ?? `something of usage page ${hex}`;
}

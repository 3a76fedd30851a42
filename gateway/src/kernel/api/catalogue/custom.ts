import { MAP_KEY, text, URL_6_TO_2048 } from './rows/format.js';
import { conditional, optional } from './rows/parameter.js';

/** Spec 2.9: custom parameters, and where an asynchronous payment returns to. */
export const CUSTOM_PARAMETERS = [
  conditional('customParameters[key]', text(0, 2048), 'from-widget', { key: MAP_KEY, echoed: true }),
  conditional('shopperResultUrl', URL_6_TO_2048, 'asynchronous'),
  optional('notificationUrl', URL_6_TO_2048),
] as const;

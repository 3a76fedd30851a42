/** Why a sale is parked: codes that tills and staff are shown. */

/** The gateway has not answered for too long. */
export const GATEWAY_SILENT = 'gateway-silent';

/** Staff resolved the sale in one way and the gateway had ended it in another. */
export const RESOLVED_OTHERWISE = 'resolved-otherwise';

/** The sale was under way when its journal was lost. */
export const RESTORED_IN_DOUBT = 'restored-in-doubt';

/** Name and version of this build (buildNumber). */
export const BUILD_NUMBER = 'tillbridge-gateway-0.1.0';

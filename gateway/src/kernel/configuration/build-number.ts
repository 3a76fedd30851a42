/** Name and version of this build (spec 2.10, buildNumber). */
export const BUILD_NUMBER = 'tillbridge-gateway-0.1.0';

interface TrustedTypes {
  createPolicy<Rules extends object>(name: string, rules: Rules): Rules
}

/**
 * Set on a page that may require Trusted Types. One that lists its policies allows ours by
 * `trusted-types guichet 'allow-duplicates'`; no other script can use it.
 */
export const trustedTypes = (window as { trustedTypes?: TrustedTypes }).trustedTypes

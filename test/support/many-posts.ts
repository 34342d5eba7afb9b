const plenty = "1000000000"

/**
 * Settings under which one address may post as often and as much as it likes, however full the disk of the
 * machine is.
 */
export const manyPosts = {
  GUICHET_FORM_PER_VISITOR_MINUTE: plenty,
  GUICHET_FORM_PER_VISITOR_DAY: plenty,
  GUICHET_FORM_BYTES_PER_VISITOR_DAY: "1000 GB",
  GUICHET_FORM_PER_FORM_DAY: plenty,
  GUICHET_FORM_BYTES_PER_FORM_DAY: "1000 GB",
  GUICHET_MIN_FREE_DISK: "0",
}

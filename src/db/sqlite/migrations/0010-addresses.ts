/**
 * Indexes e-mail addresses that people gave in a field of another type, so that all data of a person can be
 * found.
 */
export const addresses = `
INSERT OR IGNORE INTO form_response_address
  SELECT lower(trim(given.value)), form_response.id FROM form_response, json_each(form_response.field_values) given
  WHERE trim(given.value) LIKE '_%@_%._%' AND length(given.value) <= 254
    AND trim(given.value) NOT GLOB '*[^!-~]*' AND trim(given.value) NOT LIKE '%@%@%';
`

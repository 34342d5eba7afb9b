/**
 * Type of every text column. Texts sort by their code points, as in SQLite, whatever the collation of the
 * database is: cursors of lists compare them.
 */
export const text = 'text COLLATE "C"'

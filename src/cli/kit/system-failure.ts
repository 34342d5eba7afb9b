/** Says in a sentence why a file or folder cannot be used. Undefined for an error that is not the system's. */
export function systemFailure(error: Error): string | undefined {
  const { code = "", path } = error as NodeJS.ErrnoException
  const reason = systemReasons[code]
  if (!/^E[A-Z]+$/.test(code) || (path === undefined && reason === undefined)) return undefined
  return `${path ?? "a file"}: ${reason ?? error.message}`
}

const systemReasons: Record<string, string> = {
  EACCES: "the account that runs this may not use it (sudo guichet … runs as the service's)",
  EPERM: "the account that runs this may not use it (sudo guichet … runs as the service's)",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of this path is a file, not a folder",
  EISDIR: "this is a folder, not a file",
  EEXIST: "it exists already",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota of this account is used up",
  EROFS: "the disk cannot be written to here (under systemd: ReadWritePaths of the unit)",
  EMFILE: "too many files are open (LimitNOFILE of the unit, ulimit -n)",
  ENAMETOOLONG: "the name is too long",
}

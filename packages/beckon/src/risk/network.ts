import type { FoundCommand, FoundWord } from '../calls/find-commands.ts';
import { checkAddress, isPrivateHost, readUrl } from './addresses.ts';
import { findReadCodes, holdsHome } from './files.ts';
import { hasWord, type Look, toOperands } from './look.ts';

const SENDS =
  /^(?:curl|wget|http|https|xh|nc|ncat|netcat|socat|scp|sftp|rsync|ftp|telnet|aws|gsutil|rclone|mail|sendmail|dig|nslookup|ssh|openssl|gh|open|xdg-open|start)$/;
const HTTP = /^(?:open|xdg-open|curl|wget|http|https|xh|aria2c|iwr|irm)$/;
const DATA =
  /^(?:-[a-zA-Z]*[dFT]|--data(?:-raw|-binary|-urlencode|-ascii)?|--form|--form-string|--json|--upload-file|--post-data|--post-file|--body-data|--body-file)$/;
const RESOLVERS = /^(?:dig|nslookup|host|drill|ping)$/;
const METHOD = /^(?:POST|PUT|PATCH|DELETE)$/;
const SECRET_WORD = /\$\{?\w*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|CREDENTIALS?|ACCESS_KEY)\w*/i;
const SECRET_PRINTERS = /^(?:env|printenv|set|export|history|security|pass)$/;

/** What goes over the network: to which addresses, and with which data. */
export function checkNetwork(look: Look): void {
  const { program, args, command, report } = look;
  if (RESOLVERS.test(program)) {
    // `dig $(…).example.com` tells whoever answers for the name.
    for (const word of args) if (/(?:\$\(|`).*\./s.test(word.text.slice(0, 4096))) report('data-in-address', word);
  }
  if (!SENDS.test(program) && !HTTP.test(program)) return;
  const urls = HTTP.test(program) ? toOperands(args).filter(({ text }) => isAddress(text)) : [];
  for (const word of urls) checkAddress(word.text, (code) => report(code, word), 'command');
  const isLocal = urls.length > 0 && urls.every(({ text }) => isPrivateHost(readUrl(text)?.hostname ?? ''));
  const secret = findSecret(look);
  if (!isLocal && asksToDelete(look)) report('cloud-delete', command);
  if (secret !== undefined && !isLocal) report('secret-sent', secret);
  else if (!isLocal && sendsData(look)) report('upload', command);
}

function isAddress(text: string): boolean {
  return (
    /^(?:https?|file):\/\//i.test(text) ||
    /^[\w.-]+\.[a-z]{2,}(?:[:/]|$)/i.test(text) ||
    /^\d+\.\d+\.\d+\.\d+/.test(text)
  );
}

/** `curl -X DELETE`, or a mutation of GraphQL that deletes. */
function asksToDelete({ program, args }: Look): boolean {
  if (!HTTP.test(program)) return false;
  return args.some(
    ({ text }, at) =>
      /^-XDELETE$/.test(text) ||
      (text === 'DELETE' && /^(?:-[a-zA-Z]*X|--request|--method)$/.test(args[at - 1]?.text ?? '')) ||
      /^--(?:request|method)=DELETE$/.test(text) ||
      /\bmutation\b[^]{0,300}?(?:delete|destroy|remove|drop|purge|wipe)\w*\s*[({]/i.test(text.slice(0, 4096)),
  );
}

function sendsData({ program, args, command }: Look): boolean {
  if (program === 'scp' || program === 'rsync' || program === 'sftp' || program === 'rclone')
    return toOperands(args).some(({ text }) => /^[\w.@-]{2,}:(?!\\)/.test(text));
  if (program === 'nc' || program === 'ncat' || program === 'netcat' || program === 'ssh')
    return command.pipedFrom.length > 0 || command.redirects.some(({ operator }) => /^<(?:<<?)?$/.test(operator));
  if (!HTTP.test(program)) return false;
  return args.some(
    ({ text }, at) =>
      DATA.test(text) ||
      /^--(?:data|form|json|post)[\w-]*=/.test(text) ||
      /^-[dFT]./.test(text) ||
      (METHOD.test(text) && /^(?:-X|--request|--method)$/.test(args[at - 1]?.text ?? '')) ||
      /^-X(?:POST|PUT|PATCH|DELETE)$/.test(text),
  );
}

/** A secret among the data: a file of secrets, a variable that is called so, or what a pipe brings. */
function findSecret({ program, args, command, where }: Look): { start: number; end: number } | undefined {
  const isReader =
    program === 'ssh' || program === 'openssl' || program === 'aws' || program === 'dig' || program === 'nslookup';
  const found = args.find((word, at) => {
    const option = args[at - 1]?.text ?? '';
    if (/^(?:-i|--cert|--key|--cacert|-E|-K|--netrc-file|--identity)$/.test(option)) return false;
    const value = /^(?:-{1,2}[\w-]+=|\w+=)?[@<]?(.+)$/s.exec(word.text)?.[1] ?? '';
    if (!isReader && value.length < 4096 && findReadCodes(value, where).length > 0) return true;
    if (/^(?:scp|rsync|sftp|rclone)$/.test(program) && holdsHome(value, where)) return true;
    if (/[$`<]\(?.*(?:\bcat\b|\benv\b|\bprintenv\b|\.env\b|\.ssh\/|id_rsa|\.aws\/)/.test(word.text.slice(0, 2000)))
      return true;
    const isData = DATA.test(option) || isAddress(word.text) || /^-[dF]./.test(word.text);
    return isData && SECRET_WORD.test(word.text);
  });
  if (found !== undefined) return found;
  const read = command.redirects.find(
    ({ operator, target }) => operator === '<' && findReadCodes(target.text, where).length > 0,
  );
  if (read !== undefined) return read.target;
  return command.pipedFrom.some((from) => printsSecret(from, where)) ? command : undefined;
}

function printsSecret({ words }: FoundCommand, where: Look['where']): boolean {
  const [name, ...rest]: readonly FoundWord[] = words;
  if (name !== undefined && SECRET_PRINTERS.test(name.text) && (rest.length === 0 || name.text !== 'env')) return true;
  const isPacked = /(?:^|\/)(?:tar|gtar|bsdtar|zip|7z|cpio)$/.test(name?.text ?? '');
  return (
    rest.some(({ text }) => text.length < 4096 && findReadCodes(text, where).length > 0) ||
    (isPacked && rest.some(({ text }) => text.length < 4096 && holdsHome(text, where))) ||
    hasWord(rest, SECRET_WORD)
  );
}

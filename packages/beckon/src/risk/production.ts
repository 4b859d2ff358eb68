import { hasWord, type Look, toOperands } from './look.ts';

const PROD = /(?:^|[^a-z])(?:prod|production|prd|live)(?:[^a-z]|$)/i;
const REACHES =
  /^(?:kubectl|helm|oc|terraform|tofu|terragrunt|pulumi|ssh|scp|rsync|mosh|aws|gcloud|az|heroku|fly|flyctl|vercel|vc|netlify|firebase|wrangler|railway|ansible|ansible-playbook|psql|mysql|mongo(?:sh)?|redis-cli|pg_dump|pg_restore|prisma|rails|rake|serverless|sls|cdk|sam|eb|docker|argocd|kamal|cap|doctl|supabase|nomad|vault|consul|kubectx|kubens|deploy|deploy\.sh|make|just|npm|pnpm|yarn|php|python|python3|mix|knex|typeorm|sequelize|drizzle-kit|alembic|flyway)$/;
const READS =
  /^(?:get|describe|logs?|top|diff|plan|show|list|ls|status|version|config|explain|whoami|validate|history|output|info|ps|head|tail|cat|build|lint|test|template|wait|events|current-context|use-context|start|install|ci|audit|outdated|releases|view|inspect)$/;
/** Programs that only work with production if they say so in words that mean it, not in the name of a script. */
const BUILDS = /^(?:npm|pnpm|yarn|make|just|docker|python3?|php)$/;

const CLIENTS = /^(?:psql|mysql|mongo(?:sh)?)$/;
const COMPILES = /^(?:assets:(?:precompile|clean|clobber)|(?:webpacker|shakapacker):compile|vite:build|build|compile)$/;

/** Commands that reach something that is called production. */
export function checkProduction({ program, args, command, report }: Look): void {
  const named = [...args, ...command.assignments].find(({ text }) => isProduction(text));
  if (named === undefined || !(REACHES.test(program) || /(?:^|[-_./])deploy/.test(program))) return;
  const operands = toOperands(args).map(({ text }) => text);
  const verbs = operands.slice(0, 3);
  // `RAILS_ENV=production rails assets:precompile` makes files, here.
  if (command.assignments.includes(named) && verbs.length > 0 && verbs.every((verb) => COMPILES.test(verb))) return;
  if (BUILDS.test(program)) {
    if (args.some(({ text }) => /deploy|migrat|release|rollback|publish|promote|seed|drop|reset/i.test(text)))
      report('production-change', named);
    return;
  }
  const isReading =
    verbs.some((verb) => READS.test(verb)) && !verbs.some((verb) => /^(?:exec|run|apply|delete)$/.test(verb));
  const isShell = /^(?:ssh|mosh|redis-cli|kubectx|kubens)$/.test(program) && operands.length < 2;
  const isOnlyOpened = isShell || program === 'pg_dump' || (CLIENTS.test(program) && !isTold(args, command));
  report(isReading || isOnlyOpened ? 'production' : 'production-change', named);
}

/** Whether the client of a database is given something to run. */
function isTold(args: Look['args'], { pipedFrom, redirects }: Look['command']): boolean {
  return pipedFrom.length > 0 || redirects.length > 0 || hasWord(args, /^(?:-[cef]|--(?:command|execute|eval|file))/);
}

function isProduction(text: string): boolean {
  if (text.length > 300) return false;
  return PROD.test(text) && !/^(?:--omit=|--only=|--mode=)/.test(text);
}

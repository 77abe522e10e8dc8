import { alerts } from './alerts.ts'
import { backup } from './backup.ts'
import { backupCluster } from './backup/cluster.ts'
import { backupMoved } from './backup/moved.ts'
import { backupProject } from './backup/project.ts'
import { coldStorage } from './cold-storage.ts'
import { doctor } from './doctor.ts'
import { helm } from './helm.ts'
import { image } from './image.ts'
import { integrity } from './integrity.ts'
import { readOnlyReplicas } from './read-only-replicas.ts'
import { retention } from './retention.ts'
import { upgrade } from './upgrade.ts'
import type { OpsSuite } from './suite.ts'

/** All suites of `npm run test:ops`, in the order in which they run. */
export const suites: readonly OpsSuite[] = [
  helm,
  image,
  alerts,
  integrity,
  doctor,
  backup,
  backupCluster,
  backupMoved,
  backupProject,
  readOnlyReplicas,
  upgrade,
  retention,
  coldStorage,
]

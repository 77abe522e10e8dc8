"""Reads rendered manifests (arguments: files), validates them, and prints {file: {documents, errors}} as JSON.

Kubernetes objects are checked with the schemas of kubernetes-validate, in strict mode: unknown fields are errors. It has no
schemas of custom resources; helm.ts checks their structure.
"""

import json
import sys

import kubernetes_validate
import yaml

CUSTOM = "monitoring.coreos.com/"

result = {}
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        documents = [document for document in yaml.safe_load_all(file) if document is not None]
    errors = []
    for document in documents:
        if document["apiVersion"].startswith(CUSTOM):
            continue
        try:
            kubernetes_validate.validate(document, "1.30", strict=True)
        except Exception as error:  # Each kind of problem has a class of its own.
            errors.append(f"{document['kind']} {document['metadata']['name']}: {error}")
    result[path] = {"documents": documents, "errors": errors}
json.dump(result, sys.stdout)

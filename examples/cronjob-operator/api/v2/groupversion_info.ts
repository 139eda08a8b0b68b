/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

// Package v2 of the batch.tutorial.kubebuilder.io API.
// +kubebuilder:object:generate=true
// +groupName=batch.tutorial.kubebuilder.io

// Job templates have labels and annotations; without descriptions, the CRD is small enough for kubectl apply.
// +tsop:embeddedObjectMeta
// +tsop:maxDescLen=0

export const group = "batch.tutorial.kubebuilder.io";
export const version = "v2";

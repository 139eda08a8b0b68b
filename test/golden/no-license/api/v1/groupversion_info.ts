// Package v1 of the app.example.com API.
// +kubebuilder:object:generate=true
// +groupName=app.example.com

export const group = "app.example.com";
export const version = "v1";

/** The user of the sharder's requests. */
export const sharderUser = "system:serviceaccount:sharding-system:sharder";
